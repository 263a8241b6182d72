/**
 * Node's HTTP, without what an `import` of `node:http` brings along: it reads all exports at once, `WebSocket` among them, and
 * that one loads undici, HTTP/2 and web streams (16 MB and 40 to 50 ms in Node 26.10). A test holds the rooms to this way.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
