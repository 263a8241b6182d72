/** A reverse proxy on this machine in front of a gateway, which notes what passes. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Passed {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly agent: string
  /** Names of the request's headers, in lower case. */
  readonly headers: readonly string[]
  /** The body, of the paths of the sign-in alone. */
  readonly form: string
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  /** The answer's body, of the paths of the sign-in alone. */
  readonly answer: string
}

export interface Recorder extends AsyncDisposable {
  /** Where clients are to reach the gateway. */
  readonly origin: string
  /** What was answered so far, in the order of the ends of the answers. */
  readonly passed: readonly Passed[]
  /** Every credential that passed in a header, a form or an answer of the sign-in. */
  readonly secrets: ReadonlySet<string>
}

const SECRET = /tg-d[ar]t-[\w-]{20,}|sk-tg-[\w-]{20,}|(?<="device_code":")[^"]+/g
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'] as const
const IS_SIGN_IN = /^\/(?:oauth|\.well-known|managed|api\/oauth)\//

/** `to`: the gateway's own origin. What is asked keeps the address that its client used. */
export async function startRecorder(to: string): Promise<Recorder> {
  const passed: Passed[] = []
  const secrets = new Set<string>()
  const note = (text: string): void => {
    for (const [secret] of text.matchAll(SECRET)) secrets.add(secret)
  }
  const server = createServer((incoming, response) => {
    for (const name of CREDENTIAL_HEADERS) note(String(incoming.headers[name] ?? ''))
    record(incoming, response).catch(() => response.destroy())
  })
  async function record(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const one = await pass(incoming, response, { to, isNoted: IS_SIGN_IN.test(incoming.url ?? '') })
    note(one.form)
    note(one.answer)
    passed.push(one)
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    secrets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { to, isNoted }: { readonly to: string; readonly isNoted: boolean },
): Promise<Passed> {
  const { method = 'GET', url: path = '/', headers } = incoming
  const onward = request(to + path, { method, headers, agent: false })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve)
    onward.once('error', reject)
  })
  // Who has left is waited for no longer.
  response.once('close', () => void onward.destroy())
  const form = isNoted ? await buffer(incoming) : Buffer.alloc(0)
  if (isNoted) onward.end(form)
  else incoming.pipe(onward)
  const answer = await answered
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  const parts: Buffer[] = []
  answer.on('data', (part: Buffer) => isNoted && parts.push(part))
  answer.pipe(response)
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
  })
  return {
    method,
    path,
    agent: headers['user-agent'] ?? '',
    headers: Object.keys(headers),
    form: form.toString(),
    status: answer.statusCode ?? 0,
    answerHeaders: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    answer: Buffer.concat(parts).toString(),
  }
}
