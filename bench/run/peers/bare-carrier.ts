/** Carries the bytes of each connection to a connection of its own, and back: what no proxy in this process could do for less. */
import { connect, createServer, type Socket } from 'node:net'

const port = Number(process.env['PORT'])
const upstreamPort = Number(new URL(process.env['BENCH_UPSTREAM_URL'] ?? '').port)

const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ port: upstreamPort, host: '127.0.0.1', noDelay: true })
  join(client, upstream)
  join(upstream, client)
})
server.listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))

function join(from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}
