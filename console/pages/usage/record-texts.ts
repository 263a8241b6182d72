import type { UsageRecordView } from '../../../src/contract/usage.ts'

/** The output of a stream a second, from its first byte to its end; null where that says nothing. */
export function tokensPerSecond(
  record: Pick<UsageRecordView, 'stream' | 'first_byte_ms' | 'total_ms'> & {
    readonly tokens: Pick<UsageRecordView['tokens'], 'output'>
  },
): number | null {
  const { output } = record.tokens
  const { first_byte_ms: firstMs, total_ms: totalMs } = record
  if (!record.stream || output === null || output === 0 || firstMs === null || totalMs <= firstMs) return null
  return (output * 1000) / (totalMs - firstMs)
}

/** What those who help need to find the request: nothing secret, and the same in every language. */
export function supportText(record: UsageRecordView, origin: string): string {
  const lines = [
    ['request', record.id],
    ['time', record.created_at],
    ['gateway', origin],
    ['model', record.model],
    ['group', record.group],
    ['protocol', record.protocol],
    ['outcome', record.outcome],
    ['error', record.fault],
    ['http status', record.http_status],
    [
      'attempts',
      record.attempts
        .map(
          (each) => `${each.upstream} ${each.hedged_away ? 'hedged away' : (each.fault ?? 'ok')} ${each.total_ms} ms`,
        )
        .join(', '),
    ],
    ['duration', `${record.total_ms} ms`],
    ['client', record.client],
    ['key', record.key_id],
  ] as const
  return lines.flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}: ${value}`])).join('\n')
}

const HELLO = 'Say hello in one word.'

/**
 * A request of the same model and protocol with a short message, as a curl line for POSIX shells; null for protocols that
 * take no message. What was asked at the time is not kept, and the secret stands in the variable TOLLGATE_KEY.
 */
export function retryWithCurl(
  { model, protocol, stream }: Pick<UsageRecordView, 'model' | 'protocol' | 'stream'>,
  origin: string,
): string | null {
  const ask = protocol === null || model === null ? undefined : ASKS[protocol]
  if (ask === undefined || model === null) return null
  const { path, headers, body } = ask(model, stream)
  const lines = [
    `curl ${quoted(`${origin}${path}`)}`,
    ...headers.map((header) => `-H "${header}"`),
    `-H 'content-type: application/json'`,
    `-d ${quoted(JSON.stringify(body))}`,
  ]
  return lines.join(' \\\n  ')
}

type Ask = (
  model: string,
  stream: boolean,
) => { readonly path: string; readonly headers: string[]; readonly body: object }

const BEARER = ['authorization: Bearer $TOLLGATE_KEY']
const MOST_TOKENS = 16

const ASKS: Readonly<Record<string, Ask>> = {
  'openai-chat': (model, stream) => ({
    path: '/v1/chat/completions',
    headers: BEARER,
    body: { model, messages: [{ role: 'user', content: HELLO }], ...(stream ? { stream } : {}) },
  }),
  'openai-responses': (model, stream) => ({
    path: '/v1/responses',
    headers: BEARER,
    body: { model, input: HELLO, ...(stream ? { stream } : {}) },
  }),
  'anthropic-messages': (model, stream) => ({
    path: '/v1/messages',
    headers: ['x-api-key: $TOLLGATE_KEY', 'anthropic-version: 2023-06-01'],
    body: {
      model,
      max_tokens: MOST_TOKENS,
      messages: [{ role: 'user', content: HELLO }],
      ...(stream ? { stream } : {}),
    },
  }),
  gemini: (model, stream) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: ['x-goog-api-key: $TOLLGATE_KEY'],
    body: { contents: [{ role: 'user', parts: [{ text: HELLO }] }] },
  }),
  'openai-embeddings': (model) => ({ path: '/v1/embeddings', headers: BEARER, body: { model, input: 'hello' } }),
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
