import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { mostGrown } from './kept-memory.ts'
import { readConnections, readLevels } from './levels.ts'
import { trendOf } from './memory-trend.ts'

/** A look a second for two minutes. */
function samples(residentMb: (second: number) => number) {
  return Array.from({ length: 120 }, (_, second) => ({ atMs: 5_000 + second * 1_000, residentMb: residentMb(second) }))
}

test('memory that grows by a megabyte in six seconds has a slope of ten a minute', () => {
  const trend = trendOf(samples((second) => 200 + second / 6))
  expect(trend?.mbPerMinute).toBeCloseTo(10, 5)
  expect(trend?.errorMbPerMinute).toBeCloseTo(0, 5)
})

test('memory that goes up and down stays within twice its error', () => {
  const trend = trendOf(samples((second) => 200 + 40 * Math.sin(second)))
  expect(Math.abs(trend?.mbPerMinute ?? Infinity)).toBeLessThan(2 * (trend?.errorMbPerMinute ?? 0))
})

test('growth is seen through garbage that comes and goes', () => {
  const trend = trendOf(samples((second) => 200 + second / 2 + 40 * Math.sin(second)))
  expect(trend?.mbPerMinute).toBeGreaterThan(2 * (trend?.errorMbPerMinute ?? Infinity))
})

test('less than four blocks of ten seconds have no slope', () => {
  expect(trendOf(samples(() => 200).slice(0, 30))).toBeNull()
  expect(trendOf([])).toBeNull()
})

test('of threads that were there at both rests the one that keeps most more is named', () => {
  const of = (thread: number, mb: number) => ({ thread, name: `thread ${thread}`, mb })
  const before = [of(0, 40), of(1, 30), of(2, 5)]
  expect(mostGrown(before, [of(0, 42), of(1, 37), of(3, 90)])).toEqual({ name: 'thread 1', fromMb: 30, byMb: 7 })
  expect(() => mostGrown(before, [of(3, 90)])).toThrow('no thread')
})

test('a connection is read from its line', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
  const listening =
    '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 x 100'
  const open =
    '   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 x 20 4'
  expect(readConnections(`${head}\n${listening}\n${open}\n`)).toEqual([
    { localPort: 8080, remotePort: 0, isListening: true, inode: '4711' },
    { localPort: 8080, remotePort: 50_000, isListening: false, inode: '4712' },
  ])
})

test("connections that this process made to itself are not counted as others', and those to the upstream are counted", async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const client = connect(port, '127.0.0.1')
  const [accepted] = await once(server, 'connection')
  const place = { processId: process.pid, port, upstreamPort: 1, outsidePort: 2 }
  const asServer = await readLevels(place)
  const asClient = await readLevels({ ...place, port: 1, upstreamPort: port })
  client.destroy()
  accepted.destroy()
  server.close()
  expect(asServer.clientSockets).toBe(0)
  expect(asClient.upstreamSockets).toBe(1)
  expect(asServer.residentMb).toBeGreaterThan(20)
})
