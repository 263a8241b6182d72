import { newId } from '../../core/ids.ts'
import { isSealed } from '../../core/secret-box.ts'
import { CLOUD_FIELDS, cloudFieldsHere, cloudFieldsOf, withCloudFields, withKind } from './cloud-fields.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Credential } from '../../routing/credential.ts'
import { unlimitedCredential } from '../../routing/credential-settings.ts'
import type { PlannedUpstream } from '../import-plan.ts'
import { applyEach, type ImportStep, type KnownRow, MANAGED, type RowResult, type RowToApply } from './apply-step.ts'
import { isAsMarked, keptNote, markedBehind, marksIn, marksOf, mergeFields, withMarksFor } from './field-marks.ts'
import type { FieldMarks } from './field-marks.ts'

const SECRET = 'secret:'
const DISABLED = 'disabled:'
const HEADER = 'header:'
/** Numbers that few sources have; each by itself, so that an import before this one is not different by them. */
const NUMBER = 'number:'
const FIRST_BYTE = `${NUMBER}first_byte_timeout_ms`
const LIMITS = { requestsPerMinute: 'requests:', tokensPerMinute: 'tokens:' } as const
type CountedUpstreamLimit = keyof typeof LIMITS
const LIMIT_NAMES = Object.keys(LIMITS) as readonly CountedUpstreamLimit[]
const WORDS = {
  baseUrl: 'address',
  proxyUrl: 'proxy',
  maxConcurrency: 'limit',
  secret: 'credentials',
  disabled: 'credentials that are disabled',
  header: 'headers',
  number: 'timeout',
  requests: 'limits of credentials',
  tokens: 'limits of credentials',
  cloud: 'cloud',
  kind: 'credentials',
}

const GONE = 'are gone from the source since, or not carried any more: their credentials are disabled here'

interface UpstreamHere {
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Ids of upstreams with the names of their credentials that a person disabled. */
  readonly disabled: ReadonlySet<string>
}

interface UpstreamsToApply extends RowToApply {
  readonly here: UpstreamHere
}

/**
 * Upstreams, by the ids of the source. Returns their ids by the names that the plan gives them; one that was deleted here is
 * not in it.
 */
export async function applyUpstreams(step: ImportStep): Promise<ReadonlyMap<string, string>> {
  const here = await hereIn(step)
  const ids = new Map<string, string>()
  await applyEach(step, {
    kind: 'upstream',
    table: 'upstreams',
    objects: step.plan.upstreams,
    idOf: ({ id }) => id,
    async apply(planned, row) {
      const { id, ...result } = await applyUpstream(planned, { ...row, here })
      if (id !== null) ids.set(planned.name, id)
      return result
    },
    async leave(row) {
      const upstream = here.upstreams.get(row.known.objectId)
      if (upstream === undefined) return { did: 'nothing' }
      const none = { headers: {}, credentials: [] }
      const { did, note } = await changed(upstream, goneIn(none, marksIn(row.known)), { ...row, here })
      return { did, note: note ?? (did === 'changed' ? GONE : null) }
    },
  })
  return ids
}

/** Read once: an installation may have a thousand of them. */
function hereIn({ target }: ImportStep): Promise<UpstreamHere> {
  return target.together(async ({ catalog }) => {
    const states = await catalog.credentialStates()
    return {
      upstreams: new Map((await catalog.upstreams()).map((upstream) => [upstream.id, upstream])),
      disabled: new Set(
        states.flatMap(({ upstreamId, name, isDisabled }) => (isDisabled ? [`${upstreamId} ${name}`] : [])),
      ),
    }
  })
}

async function applyUpstream(
  planned: PlannedUpstream,
  { step, stores, here, known }: UpstreamsToApply,
): Promise<RowResult & { readonly id: string | null }> {
  const put = (id: string, marks: FieldMarks) =>
    stores.imported.put(step.source, 'upstream', { sourceId: planned.id, objectId: id, state: { ...marks } })
  if (known === undefined) {
    const id = await created(planned, { step, stores })
    await put(id, marksOf(step, fieldsOf(planned)))
    return { did: 'created', id }
  }
  const there = here.upstreams.get(known.objectId)
  if (there === undefined) return { did: 'nothing', id: null, note: 'were deleted here, and stay so' }
  const wanted = { ...goneIn(planned, marksIn(known)), ...fieldsOf(planned) }
  const kept = await changed(there, wanted, { step, stores, here, known })
  return { id: there.id, ...kept }
}

/** Writes of the wanted fields those that changed at the source alone. */
async function changed(
  there: Upstream,
  wanted: ComparedUpstream,
  { step, stores, here, known }: UpstreamsToApply & KnownRow,
): Promise<RowResult> {
  const { id } = there
  const marks = marksIn(known)
  if (isAsMarked(step, wanted, marks)) return { did: 'nothing' }
  const found = { ...fieldsHere(there, step), ...disabledIn(there, here) }
  const merge = mergeFields(step, { wanted, here: found, marks: withNew(step, marks, wanted) })
  const answer = await stores.catalog.editUpstream(id, (upstream) => edited(upstream, merge.write, step))
  if (answer.kind === 'managed') return { did: 'nothing', note: MANAGED }
  for (const [name, value] of Object.entries(merge.write)) {
    if (!name.startsWith(DISABLED)) continue
    await stores.catalog.changeCredential({
      upstreamId: id,
      name: name.slice(DISABLED.length),
      isDisabled: value === true,
    })
  }
  await stores.imported.put(step.source, 'upstream', { ...known, state: { ...merge.marks } })
  return { did: 'changed', note: keptNote(merge.kept, WORDS) }
}

async function created(
  planned: PlannedUpstream,
  { step, stores }: Pick<UpstreamsToApply, 'step' | 'stores'>,
): Promise<string> {
  const id = newId('ups', step.nowMs)
  const upstream = edited({ ...EMPTY, id, name: planned.name }, fieldsOf(planned), step)
  const answer = await stores.catalog.addUpstream(upstream)
  if (answer.kind === 'name_taken') {
    const name = `${planned.name} (${step.plan.product} ${planned.id}, ${id.slice(-6)})`
    await stores.catalog.addUpstream({ ...upstream, name })
  }
  for (const { name, isDisabled } of planned.credentials) {
    if (isDisabled) await stores.catalog.changeCredential({ upstreamId: id, name, isDisabled })
  }
  return id
}

const EMPTY = {
  protocol: 'openai-chat',
  baseUrl: '',
  credentials: [],
  timeoutMs: null,
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  maxConcurrency: null,
  headers: {},
  isManaged: false,
} as const

type ComparedUpstream = Readonly<Record<string, unknown>> &
  Partial<Pick<Upstream, 'protocol' | 'baseUrl' | 'maxConcurrency'>>

/** Fields in the form in which the source’s values and those here are compared: secrets in clear, each credential and header a field. */
function fieldsOf(planned: PlannedUpstream): ComparedUpstream {
  const { protocol, baseUrl, proxyUrl, maxConcurrency, headers, credentials, firstByteTimeoutMs } = planned
  return {
    protocol,
    baseUrl,
    proxyUrl,
    maxConcurrency,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [HEADER + name, value])),
    ...Object.fromEntries(credentials.map(({ name, secret }) => [SECRET + name, secret])),
    ...Object.fromEntries(credentials.map(({ name, isDisabled }) => [DISABLED + name, isDisabled ? true : null])),
    ...(firstByteTimeoutMs === undefined ? {} : { [FIRST_BYTE]: firstByteTimeoutMs }),
    ...limitsIn(credentials),
    ...cloudFieldsOf(planned),
  }
}

/** The limits that are set. */
function limitsIn(
  credentials: readonly ({ readonly name: string } & { readonly [Name in CountedUpstreamLimit]?: number | null })[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    credentials.flatMap((credential) =>
      LIMIT_NAMES.flatMap((limit) => {
        const value = credential[limit]
        return value == null ? [] : [[LIMITS[limit] + credential.name, value] as const]
      }),
    ),
  )
}

/** What the last import left and the source has no more: a credential is disabled, in case that its requests still run. */
function goneIn(
  { headers, credentials }: Pick<PlannedUpstream, 'headers' | 'credentials'>,
  marks: FieldMarks,
): ComparedUpstream {
  const names = new Set(credentials.map(({ name }) => name))
  const gone = markedBehind(marks, SECRET).filter((name) => !names.has(name))
  const left = markedBehind(marks, HEADER).filter((name) => headers[name] === undefined)
  return Object.fromEntries([
    ...gone.map((name) => [DISABLED + name, true] as const),
    ...left.map((name) => [HEADER + name, null] as const),
    ...[NUMBER, ...Object.values(LIMITS), ...CLOUD_FIELDS].flatMap((prefix) =>
      markedBehind(marks, prefix).map((name) => [prefix + name, null] as const),
    ),
  ])
}

/** A credential or header that the source has only now was nothing before. */
function withNew(step: ImportStep, marks: FieldMarks, wanted: ComparedUpstream): FieldMarks {
  const fields = Object.keys(wanted).filter((name) => name.includes(':'))
  return withMarksFor(step, marks, { fields, value: null })
}

function fieldsHere(upstream: Upstream, step: ImportStep) {
  const { protocol, baseUrl, maxConcurrency, headers, credentials, passage, firstByteTimeoutMs } = upstream
  const sealedProxyUrl = passage?.sealedProxyUrl
  return {
    protocol,
    baseUrl,
    maxConcurrency,
    proxyUrl: sealedProxyUrl === undefined ? null : opened(sealedProxyUrl, step),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [HEADER + name, opened(value, step)])),
    ...Object.fromEntries(credentials.map(({ name, sealedSecret }) => [SECRET + name, opened(sealedSecret, step)])),
    [FIRST_BYTE]: firstByteTimeoutMs,
    ...Object.fromEntries(
      credentials.flatMap(({ name }) => Object.values(LIMITS).map((prefix) => [prefix + name, null])),
    ),
    ...limitsIn(credentials),
    ...cloudFieldsHere(upstream),
  }
}

function disabledIn({ id, credentials }: Upstream, { disabled }: UpstreamHere) {
  return Object.fromEntries(
    credentials.map(({ name }) => [DISABLED + name, disabled.has(`${id} ${name}`) ? true : null]),
  )
}

/** What cannot be opened was sealed elsewhere, and is nothing that an import wrote. */
function opened(sealed: string, { sealer }: ImportStep): string {
  if (!isSealed(sealed)) return sealed
  try {
    return sealer.open(sealed)
  } catch {
    return sealed
  }
}

function edited(upstream: Upstream, write: ComparedUpstream, { sealer }: ImportStep): Upstream {
  const behind = (prefix: string) =>
    new Map(
      Object.entries(write).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), typeof value === 'string' ? value : null] as const] : [],
      ),
    )
  const headers = new Map(Object.entries(upstream.headers))
  for (const [name, value] of behind(HEADER)) {
    if (value === null) headers.delete(name)
    else headers.set(name, sealer.seal(value))
  }
  const secrets = behind(SECRET)
  const credentials: Credential[] = upstream.credentials.map((credential) => {
    const secret = secrets.get(credential.name) ?? null
    return secret === null ? credential : { ...credential, sealedSecret: sealer.seal(secret) }
  })
  for (const [name, secret] of secrets) {
    if (secret !== null && !credentials.some((each) => each.name === name))
      credentials.push(unlimitedCredential(sealer.seal(secret), name))
  }
  const limited = credentials.map((credential) => withKind(withLimits(credential, write), write))
  const firstByteTimeoutMs = FIRST_BYTE in write ? numberOf(write[FIRST_BYTE]) : upstream.firstByteTimeoutMs
  const { protocol = upstream.protocol, baseUrl = upstream.baseUrl } = write
  const maxConcurrency = write.maxConcurrency === undefined ? upstream.maxConcurrency : write.maxConcurrency
  const next = {
    ...upstream,
    protocol,
    baseUrl,
    maxConcurrency,
    firstByteTimeoutMs,
    credentials: limited,
    headers: Object.fromEntries(headers),
  }
  return withCloudFields('proxyUrl' in write ? throughProxy(next, write['proxyUrl'], sealer) : next, write)
}

function withLimits(credential: Credential, write: ComparedUpstream): Credential {
  const limits = LIMIT_NAMES.flatMap((limit) => {
    const name = LIMITS[limit] + credential.name
    return name in write ? [[limit, numberOf(write[name])] as const] : []
  })
  return limits.length === 0 ? credential : { ...credential, ...Object.fromEntries(limits) }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function throughProxy(upstream: Upstream, proxyUrl: unknown, sealer: ImportStep['sealer']): Upstream {
  const { passage = {}, ...others } = upstream
  const { sealedProxyUrl: _before, ...rest } = passage
  const next = typeof proxyUrl === 'string' ? { ...rest, sealedProxyUrl: sealer.seal(proxyUrl) } : rest
  return Object.keys(next).length === 0 ? others : { ...others, passage: next }
}
