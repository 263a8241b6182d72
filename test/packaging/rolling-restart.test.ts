import { expect, test } from 'vitest'
import { restartUnderLoad } from './restarts-under-load.ts'

// All proxies, both nodes and the delay as it is shipped: rolling-restart.long.test.ts.

// from: benoitc/gunicorn#2409, data-fair/data-fair#473: a POST behind nginx that is lost as its node stops.
test('no request is refused or asked twice while one of two nodes behind nginx is restarted', async () => {
  const { short, shortCount, streams, streamCount, askedTwice, ledger } = await restartUnderLoad('nginx', {
    engine: 'sqlite',
    environment: { TOLLGATE_SHUTDOWN_DELAY_MS: '1000' },
    restarts: 1,
    requests: 200,
  })
  expect(short).toEqual({ 200: shortCount })
  expect(streams).toEqual({ whole: streamCount })
  expect(askedTwice).toEqual([])
  expect(ledger).toMatch(new RegExp(`^ok: .* ${shortCount + streamCount} usage records`, 'm'))
})
