import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { lazyListener } from './lazy-listener.ts'
import { PATIENCE_MS } from '../../../test/support/patience.ts'

const request = {} as IncomingMessage

function response(): { readonly written: number[]; readonly asResponse: ServerResponse } {
  const written: number[] = []
  const own = {
    writeHead: (status: number) => {
      written.push(status)
      return { end: () => {} }
    },
  }
  return { written, asResponse: own as unknown as ServerResponse }
}

test('requests of the same moment share one load, and each is served', async () => {
  const served = vi.fn()
  const load = vi.fn(() => Promise.resolve(served))
  const listener = lazyListener(load, () => {})
  listener(request, response().asResponse)
  listener(request, response().asResponse)
  await vi.waitFor(() => expect(served).toHaveBeenCalledTimes(2), PATIENCE_MS)
  expect(load).toHaveBeenCalledTimes(1)
})

test('a load that fails is answered with 503, reported, and tried again by the next request', async () => {
  const served = vi.fn()
  const load = vi
    .fn<() => Promise<typeof served>>()
    .mockRejectedValueOnce(new Error('no such file'))
    .mockResolvedValue(served)
  const reported = vi.fn()
  const listener = lazyListener(load, reported)
  const first = response()
  listener(request, first.asResponse)
  await vi.waitFor(() => expect(first.written).toEqual([503]), PATIENCE_MS)
  expect(reported).toHaveBeenCalledTimes(1)
  listener(request, response().asResponse)
  await vi.waitFor(() => expect(served).toHaveBeenCalledTimes(1), PATIENCE_MS)
})
