// texts.js is made of texts.yaml by the server.
declare const texts: Record<string, string | { one: string; other: string }>;
export default texts;
