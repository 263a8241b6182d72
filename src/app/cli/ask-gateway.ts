import { secretFrom } from '../installation/environment.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import { judgeAddress } from '../../causes/base-url.ts'
import { connectionFailureIn } from '../../causes/connection-failures.ts'
import { explainFailure } from '../../causes/connection-texts.ts'

/** One question to the API of a running gateway. */
export interface GatewayQuestion {
  readonly baseUrl: string
  readonly method: 'GET' | 'POST'
  /** The path, with its query. */
  readonly path: `/api/${string}`
  readonly body?: object
  readonly withinMs: number
}

/** What the API answered. `body`: parsed; null where it is not JSON. */
export interface GatewayAnswer {
  readonly status: number
  readonly body: unknown
  /** What a refusal says, in the API's words. */
  readonly detail: string
  readonly retryAfterSeconds: number | null
}

/** Asks with the token in TOLLGATE_ADMIN_TOKEN. Throws UsageError without one, CommandFailure where no answer comes. */
export async function askGateway(host: CliHost, question: GatewayQuestion): Promise<GatewayAnswer> {
  const token = secretFrom(host.environment, 'TOLLGATE_ADMIN_TOKEN')?.trim() ?? ''
  if (token === '') {
    throw new UsageError('Set TOLLGATE_ADMIN_TOKEN to the gateway’s admin token, or to an access token of yours.')
  }
  const { origin } = readGatewayUrl(question.baseUrl)
  const { method, path, body, withinMs } = question
  let response: Response
  try {
    response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    })
  } catch (error) {
    throw new CommandFailure(connectionAdvice(error, origin))
  }
  const answer: unknown = await response.json().catch(() => null)
  const after = Number(response.headers.get('retry-after') ?? NaN)
  return {
    status: response.status,
    body: answer,
    detail: typeof answer === 'object' && answer !== null && 'detail' in answer ? String(answer.detail) : '',
    retryAfterSeconds: Number.isFinite(after) ? after : null,
  }
}

/** The answer's body. Throws CommandFailure with what the API said where it is a refusal. */
export function goodBody({ status, body, detail }: GatewayAnswer, baseUrl: string): unknown {
  if (status >= 200 && status < 300 && body !== null) return body
  throw new CommandFailure(`${readGatewayUrl(baseUrl).origin} answered ${status}. ${detail}`)
}

interface GatewayUrl {
  /** scheme://host, and the path that a reverse proxy serves the gateway under. */
  readonly origin: string
  /** `/v1` or nothing: the two forms that clients want. */
  readonly basePath: '' | '/v1'
}

/** Reads the base URL as it was entered. Throws CommandFailure with the one that was meant when it has a path too much. */
export function readGatewayUrl(text: string, underPath = ''): GatewayUrl {
  const judged = judgeAddress(text, underPath)
  if (judged.kind === 'unreadable') {
    const withScheme = URL.parse(`http://${text}`)
    const hint = withScheme === null || text.includes('://') ? '' : ` such as http://${text}`
    throw new UsageError(`--base-url is ${JSON.stringify(text)}, but it must be an http or https URL${hint}.`)
  }
  const { origin } = judged
  if (judged.kind === 'right') return { origin, basePath: judged.basePath }
  const [, site] = judged.kind === 'path' ? (UNDER_A_PATH.exec(judged.path) ?? []) : []
  if (site !== undefined) return readGatewayUrl(text, site)
  if (judged.kind === 'extras') {
    throw new CommandFailure(`A base URL has no user name, query or fragment: ${enter(origin)}`)
  }
  throw new CommandFailure(`base_url_wrong: ${text} is not a base URL of a Tollgate: ${enter(origin)}`)
}

/** What a reverse proxy may serve a gateway under: names that are none of the gateway's own paths. */
const UNDER_A_PATH = /^((?:\/(?!(?:v\d\w*|api|console|docs|openai|anthropic|gemini)(?:\/|$))[\w.~-]+)+)(?:\/v1)?$/

function enter(origin: string): string {
  return `enter ${origin}/v1 (OpenAI clients) or ${origin} (Anthropic and Gemini clients).`
}

/** What to do when no answer came at all. */
export function connectionAdvice(error: unknown, origin: string): string {
  const code = codeOf(error)
  const failure = connectionFailureIn(code)
  const { cause, remedy } =
    failure === null
      ? { cause: 'No connection.', remedy: 'Check the address, the network, and that the gateway runs.' }
      : explainFailure(failure, 'en')
  return `No answer from ${origin} (${code}). ${cause} ${remedy}`
}

/** `fetch` hides what happened in the cause of its error, sometimes several deep. */
function codeOf(error: unknown): string {
  let inner = error
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code
    if (inner.cause === undefined) return inner.name === 'Error' ? inner.message : inner.name
    inner = inner.cause
  }
  return 'unknown reason'
}
