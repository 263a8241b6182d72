import net, { type TcpNetConnectOpts } from 'node:net'
import { syncBuiltinESMExports } from 'node:module'

// To be loaded before the program of a process of its own, by `node --import`: connections over TLS to hosts of the world go to
// a port of this machine instead, without TLS, which `STAND_INS` names in JSON by the ends of their names; and those to a port
// of this machine to another one, which it names by address and port.

const standIns: Readonly<Record<string, number>> = JSON.parse(process.env['STAND_INS'] ?? '{}')
const tls = process.getBuiltinModule('node:tls')
const connectTcp = net.connect

tls.connect = ((options: TcpNetConnectOpts) => {
  const { host = '' } = options
  const [, port] = Object.entries(standIns).find(([end]) => host.endsWith(end)) ?? []
  if (port === undefined) throw new Error(`No server stands in for ${host}`)
  const socket = connectTcp({ ...options, host: '127.0.0.1', port })
  return socket.once('connect', () => socket.emit('secureConnect'))
}) as unknown as typeof tls.connect

net.connect = ((...given: Parameters<typeof net.connect>) => {
  const [options] = given as unknown as [TcpNetConnectOpts]
  const port = typeof options === 'object' ? standIns[`${options.host}:${options.port}`] : undefined
  return port === undefined ? connectTcp(...given) : connectTcp({ ...options, port })
}) as unknown as typeof net.connect

syncBuiltinESMExports()
