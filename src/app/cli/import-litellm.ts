import { readFile } from 'node:fs/promises'
import type { ImportPlan, PlannedUpstream } from '../../import/import-plan.ts'
import type { ImportSettings } from '../../import/import-settings.ts'
import { isOwnVariable } from '../../import/own-variables.ts'
import { readConfigurationPlan, WILDCARD_SOURCES } from '../../import/read-plan.ts'
import { ImportRefusal } from '../../import/source.ts'
import { oneOf } from '../declarative/fields.ts'
import { probeAddress } from '../server/probe-address.ts'
import { UsageError, type CliHost } from './cli-host.ts'
import type { Invocation } from './command.ts'
import { sourceNamed } from './import-source.ts'
import { readFlag } from './read-value.ts'
import type { ReadingProgress } from './reading-progress.ts'

/** Flags that mean nothing for the others. */
export const OF_LITELLM = ['database', 'variables', 'wildcards', 'fallbacks'] as const

/** The plan for the configuration of LiteLLM's proxy at this path, with its database where that is named. */
export async function litellmPlan(
  path: string,
  {
    call,
    settings,
    host,
    reading,
  }: { call: Invocation; settings: ImportSettings; host: CliHost; reading: ReadingProgress },
): Promise<ImportPlan> {
  const { environment } = host
  const wildcards = readFlag(call, 'wildcards', oneOf(...WILDCARD_SOURCES))
  const variables = variablesFrom(call, wildcards === 'upstream')
  const text = await configurationIn(path)
  const named = call.text('database')
  const database = named === null ? null : await sourceNamed(named, host)
  try {
    return await readConfigurationPlan(
      { text, path },
      {
        ...settings,
        environment,
        variables,
        wildcards,
        hasFallbacks: call.has('fallbacks'),
        listModels: (upstream) => modelsOf(upstream, host),
        database: database === null ? null : reading.of(database),
      },
    )
  } finally {
    await database?.close()
  }
}

/**
 * The environment variables that may be sent to the providers of a configuration; null: any that are not this gateway's own or the
 * machine's. What is sent before the report was read takes those alone that are named. Throws UsageError.
 */
function variablesFrom(call: Invocation, asksUpstreams: boolean): ReadonlySet<string> | null {
  const names = call.list('variables') ?? []
  const own = names.find(isOwnVariable)
  if (own === undefined) return names.length === 0 && !call.has('test') && !asksUpstreams ? null : new Set(names)
  throw new UsageError(
    `--variables names ${own}, which is this gateway’s own or the machine’s: set the credential on its upstream after the import.`,
  )
}

async function configurationIn(path: string): Promise<string> {
  if (/^\w+:\/\//.test(path)) {
    throw new ImportRefusal(
      'Of LiteLLM the source is the config.yaml of its proxy: name that, and its database with --database.',
    )
  }
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new ImportRefusal(`${JSON.stringify(path)} cannot be read: name the config.yaml of LiteLLM’s proxy.`)
  }
}

/** null: it gave no list, or has no credential to be asked with. */
async function modelsOf(upstream: PlannedUpstream, host: CliHost): Promise<readonly string[] | null> {
  const { protocol, baseUrl, proxyUrl, headers, credentials } = upstream
  const credential = credentials.find(({ isDisabled }) => !isDisabled)?.secret ?? null
  if (credential === null) return null
  const question = { baseUrl, credential, proxyUrl, headers, protocol }
  const probe = await probeAddress(question, { elapsed: () => host.nowMs() })
  return probe.steps.at(-1)?.isGood === true ? probe.models : null
}
