import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { CloudUpstream } from './cloud-upstream.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest } from './upstream-client.ts'

const REQUEST: UpstreamRequest = { method: 'POST', path: '/messages', headers: {}, body: [] }

/** A connection in the test's hand, and what is heard behind a dialect that says each piece twice and fails at `!`. */
function twice() {
  const heard: string[] = []
  const calls: string[] = []
  let wire: UpstreamHandler | undefined
  const connection: UpstreamExchange = {
    isSent: true,
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abort: () => calls.push('abort'),
  }
  const upstream = new CloudUpstream(
    {
      send(_request, handler) {
        wire = handler
        return connection
      },
      close: async () => undefined,
    },
    {
      outbound: (request) => request,
      inbound: (_request, handler) => ({
        onHead: (status, headers) => handler.onHead(status, headers),
        onData(chunk) {
          if (chunk.toString() === '!') return handler.onFailure(new Fault('upstream_malformed', 'Damaged.'))
          handler.onData(chunk)
          handler.onData(chunk)
        },
        onEnd: () => handler.onEnd(),
        onFailure: (fault) => handler.onFailure(fault),
      }),
    },
    null,
  )
  const exchange = upstream.send(REQUEST, {
    onHead: () => heard.push('head'),
    onData(chunk) {
      heard.push(chunk.toString())
      if (chunk.toString() === 'last') exchange.abort()
    },
    onEnd: () => heard.push('end'),
    onFailure: ({ code }) => heard.push(code),
  })
  return { exchange, heard, calls, say: (text: string) => wire?.onData(Buffer.from(text)), end: () => wire?.onEnd() }
}

test('a client that leaves within a piece hears nothing more of it, and the connection is closed', () => {
  const { heard, calls, say, end } = twice()
  say('one')
  say('last')
  say('more')
  end()
  expect(heard).toEqual(['one', 'one', 'last'])
  expect(calls).toEqual(['abort'])
})

test('an answer that a dialect cannot read fails once, and its connection is closed', () => {
  const { heard, calls, say, end } = twice()
  say('!')
  say('more')
  end()
  expect(heard).toEqual(['upstream_malformed'])
  expect(calls).toEqual(['abort'])
})

test('a slow client slows the connection', () => {
  const { exchange, calls } = twice()
  exchange.pause()
  exchange.resume()
  expect(calls).toEqual(['pause', 'resume'])
})
