import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { gatewayUnderTest } from '../support/gateway-under-test.ts'

/** More than the sockets of both ends take, so that most of it waits in the gateway. */
const TEXT_BYTES = 16 * 1024 * 1024
const MODEL = `fake/big-chunks?chunks=16&text_bytes=${TEXT_BYTES / 16}&input=20&output=1000`

test('an answer that is in the books reaches a client that reads slowly, also when the gateway drains', async () => {
  const gateway = await gatewayUnderTest()
  onTestFinished(() => gateway.store.close().then(() => gateway.fake.close()))
  await gateway.model(MODEL)
  const account = await gateway.account({ balance: '100' })
  const { secret } = await gateway.key(account)
  const response = await ask(gateway.origin, secret)
  // Not a byte of it is read before its record is written.
  await expect.poll(() => gateway.balance(account)).not.toBe('100')
  const drained = gateway.running.drain()
  // It has left the nodes, so nothing but this answer is still to be done.
  await expect.poll(() => gateway.store.nodes.all()).toEqual([])
  const body = await buffer(response)
  expect(body.length).toBeGreaterThan(TEXT_BYTES)
  await drained
})

function ask(origin: string, secret: string): Promise<IncomingMessage> {
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'All of it.' }] })
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
