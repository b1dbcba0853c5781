// What the server looks for and finds, told line by line.

/** Yield the objects of an answer that comes line by line.
 * @param {Response} answer @returns {AsyncGenerator<any>} */
export async function* linesOf(answer) {
  const reader = /** @type {ReadableStream} */ (answer.body).getReader(), decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (text + decoder.decode(part.value, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
