// The page's side of the WebSocket: what it sends, and what it does when the line is lost.

const AGAIN = [500, 1000, 2000, 4000, 8000];

export class Talk {
  /** heard: called with each message; lost: with whether the line is lost, and the close's code. */
  constructor(path, heard, lost) {
    Object.assign(this, { path, heard, lost, tries: 0 });
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${this.path}`);
    this.socket.addEventListener("open", () => {
      this.tries = 0;
      this.lost(false, 0);
    });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => {
      this.lost(true, event.code);
      setTimeout(() => this.connect(), AGAIN[Math.min(this.tries, AGAIN.length - 1)]);
      this.tries += 1;
    });
  }

  /** Send a message; return whether there is a line. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
