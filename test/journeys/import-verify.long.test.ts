import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningNewApi, runningNewApi } from '../support/import-sources/running-new-api.ts'

let source: RunningNewApi
beforeAll(async () => {
  source = await runningNewApi(3)
})
afterAll(() => source.close())

test('a list that never ends is given up after ten seconds, and said', async () => {
  source.otherwise = {
    '/v1/models': (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drip))
    },
  }
  const { code, stdout } = await source.run('--dry-run', '--verify', source.origin)
  expect([code, stdout]).toEqual([1, expect.stringContaining('it did not answer within 10 s')])
})
