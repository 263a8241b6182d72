import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { BY_CLI } from '../../access/audit.ts'
import { keyedHash } from '../../core/secret-box.ts'
import { applyImport, clashesOf, clashesReport, type ImportCounts } from '../../import/apply-import.ts'
import { ACCEPTABLE, PRODUCTS } from '../../import/import-plan.ts'
import type { Acceptable, ImportPlan, Product, PlannedUpstream, ImportSettings } from '../../import/import-plan.ts'
import { openFlags, requireDecisions } from '../../import/decisions.ts'
import { readPlan, readConfigurationPlan, WILDCARD_SOURCES } from '../../import/read-plan.ts'
import { notesReport, planReport, reportOf, sumsOf } from '../../import/report.ts'
import { ImportRefusal, type SourceReader } from '../../import/source.ts'
import { oneOf } from '../declarative/fields.ts'
import { readEnvironment, secretFrom } from '../installation/environment.ts'
import { isInstalled, openInstallation } from '../opening/open-installation.ts'
import { CommandFailure, UsageError, type CliHost } from './cli-host.ts'
import type { Invocation, CommandRun } from './command.ts'
import { CountedProgress } from './progress.ts'
import { endBySignal } from './end-by-signal.ts'
import { listPrices } from './import-catalogue.ts'
import { reachNodes } from './reach-nodes.ts'
import { testUpstreams } from './import-test.ts'
import { verifyHere } from './import-verify.ts'
import { readFlag, readOperands } from './read-value.ts'
import { ReadingProgress } from './reading-progress.ts'
import { withInstallation } from './with-installation.ts'
import { openSource, withPassword } from '../../import/open-source.ts'
import { resolve } from 'node:path'
import { requireProduct } from '../../import/detect-product.ts'
import { writeHistory } from '../history/write-history.ts'
import { isOwnVariable, isSigningVariable } from '../../import/own-variables.ts'
import { probeAddress } from '../server/probe-address.ts'

interface Importing {
  readonly settings: ImportSettings
  readonly call: Invocation
  readonly host: CliHost
}

/** Reads another gateway's database, and makes of it what can be made here; `--dry-run` only says what that is. */
export const importGateway: CommandRun = async (call, host) => {
  const [product, named] = readOperands(call, { words: 'import', names: ['PRODUCT', 'SOURCE'] })
  if (!isProduct(product)) {
    throw new UsageError(`PRODUCT is ${JSON.stringify(product)}, but it must be one of ${PRODUCTS.join(', ')}.`)
  }
  const directory = call.text('history')
  // One from the first row read to the last written: a signal that comes while an embedded source is read is heard after it.
  const stop = { said: 'Stopped. Nothing was imported.' }
  const unhook = directory === null ? endBySignal(host, () => stop.said) : () => {}
  try {
    if (directory !== null) return await archiveHistory({ product, named, directory }, call, host)
    const settings = await settingsFrom(call, host)
    const reading = new ReadingProgress(host, `Reading ${product}`)
    const plan = await planOf(product, named, { settings, call, host, reading }).finally(() => reading.end())
    host.print(planReport(plan, settings))
    if (call.has('test')) host.print(await testUpstreams(plan, host))
    const isAsSaid =
      call.text('verify') === null || (await verifyHere(plan, { call, host })) || settings.accepted.has('differences')
    const code = confirmationOf(plan)
    if (call.has('dry-run')) {
      host.print(await clashesHere(plan, { call, host }))
      const flags = [...openFlags(plan, settings), `--confirm ${code}`].join(' ')
      host.print(`Nothing was written. To import just this: ${flags}\n`)
      return isAsSaid ? 0 : 1
    }
    requireConfirmed(call, code)
    requireDecisions(plan, settings)
    if (!isAsSaid) throw new CommandFailure(DIFFERENT)
    const onWriting = () => (stop.said = 'Stopped. What is written stays, and the next run goes on from there.')
    return await carriedOut(plan, { settings, call, host }, onWriting)
  } catch (error) {
    throw error instanceof ImportRefusal ? new CommandFailure(error.message) : error
  } finally {
    unhook()
  }
}

const DIFFERENT =
  'The running source says something else than what would be imported, or did not say it: see above. Nothing was imported; --accept differences imports it all the same.'

function isProduct(text: string): text is Product {
  return PRODUCTS.some((product) => product === text)
}

async function planOf(
  product: Product,
  named: string,
  about: Importing & { reading: ReadingProgress },
): Promise<ImportPlan> {
  if (product === 'litellm') return litellmPlan(named, about)
  const { settings, call, host, reading } = about
  const other = OF_LITELLM.find((name) => call.has(name) || call.list(name) !== null)
  if (other !== undefined) throw new UsageError(`--${other} is for litellm: of ${product} the SOURCE is the database.`)
  const source = await sourceNamed(named, host)
  try {
    return await readPlan(reading.of(source), product, settings)
  } finally {
    await source.close()
  }
}

async function settingsFrom(call: Invocation, host: CliHost): Promise<ImportSettings> {
  const names = call.list('accept') ?? []
  const wrong = names.find((name) => !isAcceptable(name))
  if (wrong !== undefined) {
    throw new UsageError(
      `--accept is ${JSON.stringify(wrong)}, but it must be one of ${Object.keys(ACCEPTABLE).join(', ')}.`,
    )
  }
  return {
    accepted: new Set(names.filter(isAcceptable)),
    negative: readFlag(call, 'negative', oneOf('keep', 'zero')),
    admins: readFlag(call, 'admins', oneOf('keep', 'none')) ?? 'keep',
    pricing: await pricingFrom(call),
    catalogue: await listPrices(),
    oidcIssuer: readEnvironment(host.environment).oidc?.issuer ?? null,
    nowMs: host.nowMs(),
  }
}

function isAcceptable(name: string): name is Acceptable {
  return Object.hasOwn(ACCEPTABLE, name)
}

async function pricingFrom(call: Invocation): Promise<unknown> {
  const path = call.text('pricing')
  if (path === null) return null
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch {
    throw new UsageError(
      `--pricing is ${JSON.stringify(path)}, but it must be a file with JSON: the answer of /api/pricing, or LiteLLM’s list of prices.`,
    )
  }
}

/** What of the plan is here already, where there is an installation to look at. */
async function clashesHere(
  plan: ImportPlan,
  { call, host }: { readonly call: Invocation; readonly host: CliHost },
): Promise<string> {
  const settings = readEnvironment(host.environment)
  if (!isInstalled(settings)) return 'There is no installation here yet: what it would have already is not looked at.\n'
  const { store, secret, hashSecret } = await openInstallation(settings, host)
  const hashState = keyedHash(secret, 'import')
  const source = call.text('as') ?? plan.product
  try {
    return clashesReport(await clashesOf({ plan, source, target: store, hashSecret, hashState }), { plan, source })
  } finally {
    await store.close()
  }
}

/** A code of the sums: what the dry run showed and the run imports can be compared at a glance. */
function confirmationOf(plan: ImportPlan): string {
  const sums = Object.values(sumsOf(plan)).map(String).join(' ')
  return createHash('sha256').update(`${plan.product} ${sums}`).digest('hex').slice(0, 12)
}

function requireConfirmed(call: Invocation, code: string): void {
  const given = call.text('confirm')
  if (given === null || given === code) return
  throw new CommandFailure(
    `The sums are not those of the dry run that said --confirm ${given}: the source has changed since. Nothing was imported; look at the report above, and give --confirm ${code}.`,
  )
}

async function carriedOut(
  plan: ImportPlan,
  { settings: { accepted }, call, host }: Importing,
  onWriting: () => void,
): Promise<number> {
  const nowMs = host.nowMs()
  return withInstallation(host, async ({ store, secret, sealer, hashSecret, hashRedeemCode }) => {
    const progress = new CountedProgress(host)
    onWriting()
    const { counts, notes, seq } = await applyImport({
      plan,
      accepted,
      hasSwitched: call.has('switched'),
      source: call.text('as') ?? plan.product,
      author: BY_CLI,
      target: store,
      sealer,
      hashSecret,
      hashRedeemCode,
      hashState: keyedHash(secret, 'import'),
      nowMs,
      onProgress: progress.at,
    })
    progress.end()
    host.print(countsReport(counts))
    if (notes.length > 0) host.print(reportOf(['While it was written:', ...notesReport(notes)]))
    await reachNodes(seq, { store, host, done: 'All of it is imported' })
    return 0
  })
}

function countsReport(counts: ImportCounts): string {
  const done = [...counts].filter(([, { created, changed }]) => created + changed > 0)
  if (done.length === 0) return 'Nothing is different from the last import.\n'
  return done.map(([kind, { created, changed }]) => `${kind}: ${created} created, ${changed} changed\n`).join('')
}

/** A command line can be read by everyone on the machine. */
const SOURCE_PASSWORD = 'IMPORT_PASSWORD'

/** Opens the database that is named, with its password from the environment where it is there. */
export function sourceNamed(named: string, host: CliHost): Promise<SourceReader> {
  return openSource(withPassword(named, secretFrom(host.environment, SOURCE_PASSWORD)))
}

/** Archives what another gateway's database has of the past, which does not belong to the books here. */
async function archiveHistory(
  { product, named, directory }: { readonly product: Product; readonly named: string; readonly directory: string },
  call: Invocation,
  host: CliHost,
): Promise<number> {
  if (product === 'litellm')
    throw new UsageError('--history reads a database, and of litellm the configuration is read.')
  const other = ['dry-run', 'confirm', 'test', 'verify', 'switched'].find(
    (name) => call.has(name) || call.text(name) !== null,
  )
  if (other !== undefined) throw new UsageError(`--history imports nothing, so it takes no --${other}.`)
  const source = await sourceNamed(named, host)
  const progress = new CountedProgress(host)
  const unhook = endBySignal(host, 'Stopped. The next run goes on behind the last file that is whole.')
  try {
    await requireProduct(source, product)
    const order = { source, product, directory: resolve(directory), onProgress: progress.at }
    const { files, rows } = await writeHistory(order)
    progress.end()
    const what = files === 0 ? 'Nothing is new since the last run.' : `${rows} rows in ${files} files in ${directory}.`
    host.print(`${what}\n`)
    return 0
  } finally {
    unhook()
    await source.close()
  }
}

/** Flags that mean nothing for the others. */
const OF_LITELLM = ['database', 'variables', 'wildcards', 'fallbacks'] as const

/** The plan for the configuration of LiteLLM's proxy at this path, with its database where that is named. */
async function litellmPlan(
  path: string,
  { call, settings, host, reading }: Importing & { reading: ReadingProgress },
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
  const own = names.find((name) => isOwnVariable(name) && !isSigningVariable(name))
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
  if (credential === null || upstream.dialect !== undefined) return null
  const question = { baseUrl, credential, proxyUrl, headers, protocol }
  const probe = await probeAddress(question, { elapsed: () => host.nowMs() })
  return probe.steps.at(-1)?.isGood === true ? probe.models : null
}
