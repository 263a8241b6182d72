import { setTimeout as wait } from 'node:timers/promises'
import type { UpstreamTest } from '../../control/parts.ts'
import type { Clock } from '../../core/clock.ts'
import { CollectedBytes } from '../../core/collected-bytes.ts'
import { ERROR_ANSWER_LIMIT_BYTES, UPSTREAM_TEST_MS } from '../../core/limits.ts'
import { isBuiltIn, upstreamProtocolFacts } from '../../core/upstream-protocol.ts'
import { wireFacts } from '../../core/wire.ts'
import type { CredentialInUse, UpstreamInUse } from '../../gateway/snapshot.ts'
import { errorIn, withoutSecrets } from '../../gateway/upstream-faults.ts'
import type { UpstreamExchange } from '../../upstreams/upstream-client.ts'
import { whyUnreachable } from '../../upstreams/why-unreachable.ts'

/**
 * Asks an upstream for its list of models, over the connections and with the credential that requests use: free of charge
 * everywhere, and refused where the credential is wrong. `undefined`: the gateway could not set this upstream up.
 *
 * Its answer is read for nothing but an error's message, redirects are not followed, and the path is fixed: an admin who may
 * configure upstreams learns of an address whether it answers, and reads nothing else of what is there.
 */
export async function testUpstream(
  inUse: UpstreamInUse | undefined,
  clock: Pick<Clock, 'elapsed'>,
  limitMs = UPSTREAM_TEST_MS,
): Promise<UpstreamTest> {
  if (inUse === undefined) {
    const detail =
      'The gateway cannot use this upstream as it is configured: its log says why. Set its credential again.'
    return { isGood: false, status: null, totalMs: 0, detail }
  }
  if (isBuiltIn(inUse.upstream.protocol)) {
    return { isGood: true, status: null, totalMs: 0, detail: 'The demo upstream is built in and always answers.' }
  }
  const startedAt = clock.elapsed()
  const answer = await askForModels(inUse, limitMs)
  const totalMs = Math.round(clock.elapsed() - startedAt)
  if (answer.kind === 'none') return { isGood: false, status: null, totalMs, detail: answer.why }
  const isGood = answer.status >= 200 && answer.status < 300
  if (isGood) testedOf(inUse.pool)?.health.answered(startedAt)
  const error = isGood ? null : errorIn(answer.body)
  const said = error?.message?.slice(0, LONGEST_SAID) ?? null
  const more = said === null ? '' : ` It said: ${withoutSecrets(said, inUse.secrets)}`
  return { isGood, status: answer.status, totalMs, detail: meaningOf(answer.status, error?.code ?? null) + more }
}

type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'none'; readonly why: string }

/** One that is refused comes first, as a good answer shows that it is taken again. */
function testedOf(pool: UpstreamInUse['pool']): CredentialInUse | undefined {
  const enabled = pool.filter(({ isDisabled }) => !isDisabled)
  return enabled.find(({ health }) => health.held !== null) ?? enabled[0] ?? pool[0]
}

async function askForModels({ client: bare, pool, upstream }: UpstreamInUse, limitMs: number): Promise<Answer> {
  const over = new AbortController()
  const client = testedOf(pool)?.client ?? bare
  let exchange: UpstreamExchange | null = null
  const answered = new Promise<Answer>((resolve) => {
    const bytes = new CollectedBytes()
    let status = 0
    const done = () => resolve({ kind: 'answered', status, body: bytes.whole() })
    const { headers } = wireFacts(upstreamProtocolFacts(upstream.protocol).wires[0])
    exchange = client.send(
      { method: 'GET', path: '/models', headers: { accept: 'application/json', ...headers }, body: [] },
      {
        onHead: (received) => {
          status = received
        },
        onData: (chunk) => {
          if (!bytes.add(chunk, ERROR_ANSWER_LIMIT_BYTES)) done()
        },
        onEnd: done,
        onFailure: (fault) => resolve({ kind: 'none', why: whyUnreachable(fault.cause) }),
      },
    )
  })
  const late = wait(limitMs, { kind: 'none', why: `It did not answer within ${limitMs / 1000} s.` } as const, {
    signal: over.signal,
  }).catch(() => ({ kind: 'none', why: '' }) as const)
  try {
    return await Promise.race([answered, late])
  } finally {
    over.abort()
    abort(exchange)
  }
}

function abort(exchange: UpstreamExchange | null): void {
  exchange?.abort()
}

/** `code`: Google's reason, whose wrong credential is a 400. */
function meaningOf(status: number, code: string | null): string {
  if (status >= 200 && status < 300) return 'It answered with its list of models.'
  if (status >= 300 && status < 400) return 'It redirects, and redirects are not followed: enter the final base URL.'
  if (status === 401 || status === 403 || code === 'API_KEY_INVALID') return 'It refused the credential.'
  if (status === 404)
    return 'It knows no list of models at this base URL: check its path, such as /v1 or /v1beta at its end.'
  if (status === 429) return 'It answered that there are too many requests; address and credential were understood.'
  return `It answered with the status ${status}.`
}

const LONGEST_SAID = 300
