import { expect, test } from 'vitest'
import { gatewayEnvironment, startGatewayProcess } from './gateway-process.ts'

const environment = gatewayEnvironment('/nowhere')
const READY = `console.log('{"origin":"http://127.0.0.1:1","engine":"sqlite","msg":"ready"}')`

/** A program in place of a gateway. */
function program(text: string): { readonly command: readonly string[] } {
  return { command: [process.execPath, '-e', text] }
}

test('a gateway that ends at its start is refused with all that it complained of', async () => {
  const started = startGatewayProcess(environment, program(`console.error('no such disk'); process.exitCode = 3`))
  await expect(started).rejects.toThrow(/ended with 3 at its start[\s\S]*no such disk/)
})

test('a program that cannot be run is refused', async () => {
  const started = startGatewayProcess(environment, { command: ['/nowhere/node'] })
  await expect(started).rejects.toThrow('could not be run')
})

test('it has started when it is ready and has printed what is waited for', async () => {
  const text = `${READY}; setTimeout(() => console.error('link'), 50); setInterval(() => {}, 1000)`
  let heard = ''
  const onPrinted = (piece: string): void => void (heard += piece)
  const gateway = await startGatewayProcess(environment, { ...program(text), until: /link/, onPrinted })
  expect(gateway.origin).toBe('http://127.0.0.1:1')
  expect(gateway.printed()).toContain('link')
  expect(heard).toBe(gateway.printed())
  await gateway.kill()
  await gateway.kill()
  expect(await gateway.stop()).toBeNull()
})

test('it is stopped by SIGTERM, and everything that it printed on the way was read', async () => {
  const text = `process.on('SIGTERM', () => { console.log('x'.repeat(100_000) + 'stopped'); process.exitCode = 5; clearInterval(life) })
    const life = setInterval(() => {}, 1000); ${READY}`
  const gateway = await startGatewayProcess(environment, program(text))
  expect(await gateway.stop()).toBe(5)
  expect(gateway.printed()).toMatch(/stopped\n$/)
})

test('it can be asked over its channel', async () => {
  const text = `process.on('message', ({ number }) => process.send({ number: number + 1 })); ${READY}`
  const gateway = await startGatewayProcess(environment, { ...program(text), hasChannel: true })
  expect(await gateway.ask({ number: 1 })).toEqual({ number: 2 })
  await gateway.kill()
})

test('it is killed by the signal that was given, before it is ready too', async () => {
  const end = new AbortController()
  const started = startGatewayProcess(environment, { ...program('setInterval(() => {}, 1000)'), signal: end.signal })
  end.abort()
  await expect(started).rejects.toThrow('aborted')
})
