import { CONNECT_TIMEOUT_MS } from '../../core/limits.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import type { ImportPlan } from '../../import/import-plan.ts'
import { reportOf } from '../../import/report.ts'
import { type AskSource, type SourceAnswer, verifyPlan } from '../../import/verify-import.ts'
import { isCredential, isHeaderValue, readBaseUrl } from '../../routing/upstream-settings.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { whyUnreachable } from '../../upstreams/why-unreachable.ts'
import { secretFrom } from '../installation/environment.ts'
import { askOnce } from '../server/ask-once.ts'
import { type CliHost, UsageError } from './cli-host.ts'
import type { Invocation } from './command.ts'
import { CountedProgress } from './progress.ts'

/** A command line can be read by everyone on the machine. */
const ADMIN_KEY = 'IMPORT_VERIFY_KEY'
/** LiteLLM says of each deployment all that it knows, which is some kilobytes. */
const BOUNDS = { limitMs: 10_000, limitBytes: 16 * 2 ** 20 }
/** All questions together. */
const WHOLE_MS = 600_000

/**
 * Asks the running source that is named for what it lists and charges, and prints what is different from the plan. Returns
 * whether nothing is. Keys go to that address alone: redirects are not followed.
 */
export async function verifyHere(
  plan: ImportPlan,
  { call, host }: { call: Invocation; host: CliHost },
): Promise<boolean> {
  const named = call.required('verify')
  const baseUrl = readBaseUrl(named)
  if (baseUrl === null) throw new UsageError(`--verify is ${JSON.stringify(named)}, but it must be ${URL_FORM}.`)
  const adminKey = secretFrom(host.environment, ADMIN_KEY)?.trim() ?? ''
  if (adminKey !== '' && !isCredential(adminKey))
    throw new UsageError(`${ADMIN_KEY} is not a key that a header can have.`)
  const client = new HttpUpstream({
    baseUrl: baseUrl.replace(/\/v1$/, ''),
    headers: {},
    connectTimeoutMs: Math.min(BOUNDS.limitMs, CONNECT_TIMEOUT_MS),
    maxConcurrency: null,
  })
  const progress = new CountedProgress(host)
  const startedAt = host.nowMs()
  try {
    const { lines, isSame } = await verifyPlan(plan, {
      ask: asking(client),
      adminKey: adminKey === '' ? null : adminKey,
      nowMs: startedAt,
      isOver: () => host.nowMs() - startedAt > WHOLE_MS,
      onKey: (done, all) => progress.at('asking with keys', done, all),
    })
    progress.end()
    host.print(reportOf(lines))
    return isSame
  } finally {
    progress.end()
    await client.close()
  }
}

const URL_FORM = 'the address of the running source, such as http://127.0.0.1:3000'

function asking(client: HttpUpstream): AskSource {
  return async (path, headers) => {
    // A key may be any text in an old database.
    if (!Object.values(headers).every(isHeaderValue)) return failed('it has characters that no header can have')
    const answer = await askOnce(client, { path, headers }, BOUNDS)
    if (answer.kind === 'late') return failed(`it did not answer within ${BOUNDS.limitMs / 1_000} s`)
    if (answer.kind === 'failed') return failed(whyUnreachable(answer.cause))
    const { status, body, isCut } = answer
    if (status >= 300 && status < 400) return failed('it redirects, and redirects are not followed')
    if (isCut) return failed(`its answer has more than ${BOUNDS.limitBytes / 2 ** 20} MB`)
    try {
      return { kind: 'answered', status, body: parseShallow(body) }
    } catch {
      return status >= 400
        ? { kind: 'answered', status, body: null }
        : failed('it answered with something else than JSON')
    }
  }
}

function failed(why: string): SourceAnswer {
  return { kind: 'failed', why }
}
