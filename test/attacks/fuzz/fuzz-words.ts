/** What fuzzed requests are made of: what the gateway knows, and what has broken servers before. */

export const METHODS = 'POST POST POST POST GET GET PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND M-SEARCH'.split(' ')

/** Paths that the gateway, the console API and the console serve, with places for an id or a model. */
export const PATHS = (
  '/v1/chat/completions /v1/responses /v1/messages /v1/completions /v1/embeddings /v1/moderations /v1/rerank ' +
  '/v1/images/generations /v1/images/edits /v1/audio/speech /v1/audio/transcriptions /v1/audio/translations ' +
  '/v1/responses/compact /v1/responses/input_tokens /v1/messages/count_tokens /v1/models /v1/models/ID /v1/usage ' +
  '/v1/receipts/ID /v1/responses/ID /v1/responses/ID/cancel /v1/responses/ID/input_items ' +
  '/v1beta/models/ID:generateContent /v1beta/models/ID:streamGenerateContent /v1beta/models/ID:countTokens ' +
  '/v1beta/models /v1/v1/chat/completions /openai/chat/completions /chat/completions /api.json ' +
  '/healthz /readyz /metrics /console/ /console/keys /console/assets/ID / /favicon.ico ' +
  '/api/me /api/keys /api/keys/ID /api/accounts /api/models /api/upstreams /api/usage /api/usage.csv /api/ledger ' +
  '/api/settings /api/tokens /api/redeem /api/docs /api/openapi.json /api/instance /api/groups /api/plans /api/audit ' +
  '/api/auth/session /api/auth/sign-out /api/auth/callback/oidc /api/auth/reset /api/auth/verify /api/auth/ID'
).split(' ')

/** Where requests are paid for, with the fields that each needs. */
export const GENERATIONS: readonly (readonly [string, readonly string[]])[] = [
  ['/v1/chat/completions', ['model', 'messages']],
  ['/v1/responses', ['model', 'input']],
  ['/v1/messages', ['model', 'messages', 'max_tokens']],
  ['/v1/completions', ['model', 'prompt']],
  ['/v1/embeddings', ['model', 'input']],
  ['/v1beta/models/ID:generateContent', ['contents']],
  ['/v1beta/models/ID:streamGenerateContent', ['contents']],
  ['/v1/messages/count_tokens', ['model', 'messages']],
  ['/v1/responses/input_tokens', ['model', 'input']],
]

export const IDS = [
  'req_01kaexample0000000000000',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%ff%fe',
  '%',
  '%u0041',
  '__proto__',
  'constructor',
  '%F0%9F%92%A9',
  "'%20or%201=1--",
  'a/b:c',
  '${7*7}',
  '{{7*7}}',
  '-1',
  '9'.repeat(400),
  'a'.repeat(3_000),
  '%20'.repeat(500),
  '/'.repeat(200),
  ':'.repeat(200),
]

export const QUERIES = [
  '',
  '',
  '',
  '?alt=sse',
  '?key=SECRET',
  '?limit=-1',
  '?limit=1e9&cursor=AAAA',
  '?cursor=' + 'A'.repeat(2_000),
  '?__proto__[x]=1',
  '?%',
  '?a=%ff',
  '?' + 'a=1&'.repeat(500),
  '?from=9999999999999&to=x',
  '?beta=true',
]

/** Headers by which callers, browsers and proxies say something. */
export const HEADER_NAMES = (
  'Authorization x-api-key x-goog-api-key Cookie Content-Type Accept Accept-Encoding Accept-Language Content-Encoding ' +
  'anthropic-version anthropic-beta openai-beta openai-organization x-goog-fieldmask x-http-method-override Idempotency-Key ' +
  'If-None-Match If-Modified-Since Range Origin Referer Sec-Fetch-Site Forwarded X-Forwarded-For X-Forwarded-Proto ' +
  'X-Forwarded-Host X-Real-IP Via Traceparent Tracestate X-Request-Id User-Agent Expect Upgrade Connection TE Trailer ' +
  'Access-Control-Request-Method Access-Control-Request-Headers Proxy-Authorization Date constructor __proto__'
).split(' ')

/** Values that are read by patterns, lists, numbers or dates somewhere. */
export const HEADER_VALUES = [
  'Bearer SECRET',
  'Bearer',
  'bearer  sk-tg-0000',
  'Basic Zm9vOmJhcg==',
  'SECRET',
  '"SECRET"',
  'sk-ant-api03-xxxxxxxx',
  'application/json',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=b',
  'multipart/form-data; boundary="' + 'b'.repeat(300),
  'application/x-www-form-urlencoded',
  'text/plain',
  'gzip, deflate, br, zstd;q=0',
  '*/*;q=2, text/html;q=x',
  'bytes=0-0,-1,5-1',
  'Thu, 99 Foo 0000 00:00:00 GMT',
  '127.0.0.1, ::1, [::ffff:1.2.3.4]:80, unknown',
  'for="[2001:db8::1]";proto=http;by=_x',
  '00-' + 'f'.repeat(32) + '-' + '0'.repeat(16) + '-01',
  '100-continue',
  'websocket',
  'close',
  'keep-alive, x-forwarded-for',
  'null',
  '%00',
  '1'.repeat(50),
  '-1',
]

/** Runs of these make patterns go back: quotes, blanks, separators, brackets and bytes beyond ASCII. */
export const RUNS = [
  '"',
  "'",
  '`',
  ' ',
  '\t',
  '\xa0',
  ',',
  ';',
  '=',
  ':',
  '.',
  '-',
  '/',
  '\\',
  '(',
  '[',
  '%',
  '!',
  'a',
  '\xff',
]

/** JSON that a field may have in place of what it should have. */
export const JSON_VALUES: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '-0',
  '99999999999999999999',
  '0.1e-400',
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u200b"',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '[null]',
  '{"__proto__":{"x":1}}',
  '{"constructor":null}',
  '[{"role":"user","content":"hello"}]',
  '[{"role":"tool","tool_call_id":"x","content":[]}]',
  '[{"type":"text","text":5}]',
  '{"type":"function","function":{"name":"a","parameters":{}}}',
  '[{"type":"web_search"}]',
  '"demo/echo"',
]

export const FIELD_NAMES = (
  'model messages input contents prompt stream stream_options max_tokens max_completion_tokens max_output_tokens n tools ' +
  'tool_choice response_format system instructions generationConfig safetySettings temperature stop thinking reasoning ' +
  'previous_response_id service_tier metadata background query documents voice email password token code name __proto__'
).split(' ')
