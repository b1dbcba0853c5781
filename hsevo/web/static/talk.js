// The page's side of the WebSocket: what it sends, and what it does when the line is lost.

const AGAIN = [500, 1000, 2000, 4000, 8000];

/** Return the address of a WebSocket, encrypted where the page is.
 * @param {{ protocol: string, host: string }} page @param {string} path */
export const address = ({ protocol, host }, path) => `${protocol === "https:" ? "wss" : "ws"}://${host}${path}`;

export class Talk {
  /** heard: called with each message; lost: with the code with which the connection was lost, or null once it stands.
   * @param {string} path @param {(message: import("./types.js").Message) => void} heard
   * @param {(code: number | null) => void} lost */
  constructor(path, heard, lost) {
    this.path = path;
    this.heard = heard;
    this.lost = lost;
    this.tries = 0;
    this.socket = this.connect();
  }

  connect() {
    const socket = new WebSocket(address(location, this.path));
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.lost(null);
    });
    socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      this.lost(event.code);
      setTimeout(() => { this.socket = this.connect(); }, AGAIN[Math.min(this.tries, AGAIN.length - 1)]);
      this.tries += 1;
    });
    return socket;
  }

  /** Send a message, unless the connection is lost.
   * @param {import("./types.js").Sent} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
