import type { IncomingHttpHeaders } from 'node:http'

/** OpenAI and those like it, Anthropic, Amazon Bedrock, Azure: each provider's API reference. */
const NAMES = ['x-request-id', 'request-id', 'x-amzn-requestid', 'apim-request-id'] as const
const FORM = /^[!-~]{1,100}$/

/** What an upstream calls a request in its own logs, by which its support finds it; null: nothing, or what we called it. */
export function upstreamRequestId(headers: IncomingHttpHeaders, ownId: string): string | null {
  for (const name of NAMES) {
    const id = headers[name]
    if (typeof id === 'string' && id !== ownId && FORM.test(id)) return id
  }
  return null
}
