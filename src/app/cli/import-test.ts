import type { AddressProbe } from '../../control/parts.ts'
import type { ImportPlan, PlannedUpstream } from '../../import/import-plan.ts'
import { reportOf } from '../../import/report.ts'
import { ConnectionError } from '../../upstreams/connection-error.ts'
import { probeAddress } from '../server/probe-address.ts'
import type { Screen } from './cli-host.ts'
import { CountedProgress } from './progress.ts'

const AT_A_TIME = 4
const MODELS_SHOWN = 20

/**
 * Asks each upstream of a plan for its list of models, by its first credential that is enabled. Costs nothing; says what came
 * of each, one that cannot be asked too, and which of the models that it is to serve are not in its list.
 */
export async function testUpstreams({ upstreams, models }: ImportPlan, host: Screen): Promise<string> {
  const progress = new CountedProgress(host)
  const lines = new Map<string, string>()
  const waiting = [...upstreams]
  const worker = async (): Promise<void> => {
    for (let upstream = waiting.shift(); upstream !== undefined; upstream = waiting.shift()) {
      const { name } = upstream
      const wanted = models.flatMap(({ targets }) => targets.flatMap((to) => (to.upstream === name ? [to.model] : [])))
      lines.set(name, await tested(upstream, new Set(wanted), host))
      progress.at('testing upstreams', lines.size, upstreams.length)
    }
  }
  progress.at('testing upstreams', 0, upstreams.length)
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  progress.end()
  const said = upstreams.map(({ name }) => `  ${name}: ${lines.get(name) ?? ''}`)
  return said.length === 0 ? '' : reportOf(['Upstreams, asked for their lists of models:', ...said])
}

async function tested(upstream: PlannedUpstream, wanted: ReadonlySet<string>, host: Screen): Promise<string> {
  const { protocol, baseUrl, proxyUrl, headers, credentials, dialect } = upstream
  // Its tokens are minted by the gateway that it is imported into.
  if (dialect !== undefined) return 'not asked: test it on its page here after the import'
  const credential = credentials.find(({ isDisabled }) => !isDisabled)?.secret ?? null
  if (credential === null && credentials.length > 0) return 'not asked: its credentials are disabled'
  const clock = { elapsed: () => host.nowMs() }
  try {
    return resultOf(await probeAddress({ baseUrl, credential, proxyUrl, headers, protocol }, clock), wanted)
  } catch (error) {
    // What else is thrown may quote what it was given, which a report never shows.
    const why =
      error instanceof ConnectionError ? error.message : 'no request can be made of what it is configured with'
    return `not asked: ${why}`
  }
}

function resultOf({ steps, models }: AddressProbe, wanted: ReadonlySet<string>): string {
  const step = steps.at(-1)
  if (step?.isGood !== true) return `failed: ${step?.detail ?? 'it was not asked'}`
  const missing = [...wanted].filter((name) => !models.includes(name)).sort()
  const shown = missing.slice(0, MODELS_SHOWN).join(', ') + (missing.length > MODELS_SHOWN ? ', …' : '')
  const lists = `ok, lists ${models.length} ${models.length === 1 ? 'model' : 'models'}`
  return missing.length === 0 ? lists : `${lists}, and not ${shown}`
}
