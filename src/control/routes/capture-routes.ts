import { changesBetween } from '../../access/audit.ts'
import { type Capture, captureAt, type CapturedSummary } from '../../access/capture.ts'
import {
  capture,
  capturedContent,
  capturedRequest,
  type CapturedSummaryView,
  captureRead,
  type CaptureView,
} from '../../contract/captures.ts'
import { CAPTURE_KEPT_MS, CAPTURE_MS, CAPTURE_REQUESTS, CAPTURES_AT_ONCE } from '../../core/limits.ts'
import { existing, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire } from '../api/wire-forms.ts'
import { endNote } from '../audit/capture-notes.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import { lockSettings, readSettings } from '../settings/instance-settings.ts'
import { ownedKey } from '../keys/owned-key.ts'
import { actorId } from '../who/actor.ts'

const route = routesOf('Keys')

const MINUTES = CAPTURE_MS / 60_000

const read = route('get /api/keys/{id}/capture', {
  summary: 'Read the capture of an API key, and list what it kept',
  description: 'Where captures are off, there is nothing.',
  who: 'admin',
  answer: captureRead,
  async handle(call, parts) {
    const { id } = await ownedKey(call, parts)
    const { captures, settings } = parts.store
    const { capture_requests: enabled } = await readSettings(settings)
    const found = enabled ? await captures.find(id, call.nowMs) : null
    if (found === null) return { enabled, capture: null, data: [] }
    const kept = await captures.list(found.id)
    return { enabled, capture: onWire(found, call.nowMs), data: kept.map(summaryOnWire) }
  },
})

const begin = route('post /api/keys/{id}/capture', {
  summary: 'Capture what the next requests of an API key send and get',
  description: `Of ${CAPTURE_REQUESTS} requests or for ${MINUTES} minutes, whichever ends first: bodies, some headers and no credential, encrypted, and deleted a day after it began. The key’s owner is shown that it runs, the audit who began it, and who looks at which request. Takes the place of the last capture of the key, with what that kept. The setting \`capture_requests\` must be on. At most ${CAPTURES_AT_ONCE} run at a time.`,
  who: 'admin',
  answer: capture,
  status: 201,
  problems: ['conflict'],
  async handle(call, parts) {
    const { id: keyId, accountId } = await ownedKey(call, parts)
    const { nowMs } = call
    const wanted = {
      id: parts.newId('cap'),
      keyId,
      accountId,
      begunBy: actorId(call.actor),
      createdAt: nowMs,
      endsAt: nowMs + CAPTURE_MS,
    }
    const change = await call.change(async (store, audit) => {
      // Turning captures off ends what has begun by then, and nothing can begin behind it.
      await lockSettings(store)
      await requireOn(store)
      const begun = await store.captures.begin(wanted)
      if (begun.kind === 'unknown_key') throw notFound('API key')
      if (begun.kind !== 'begun') throw new Problem('conflict', WHY_NOT[begun.kind])
      const changes = changesBetween({}, { until: timeOnWire(wanted.endsAt), requests: CAPTURE_REQUESTS })
      await audit({ action: 'key.capture', subject: keyId, accountId, changes })
      return begun.change
    })
    await call.reachNodes(change)
    return onWire({ ...wanted, kept: 0, missed: 0, ended: null }, nowMs)
  },
})

const end = route('delete /api/keys/{id}/capture', {
  summary: 'End the capture of an API key',
  description: 'What it kept stays until it is a day old. When the call has returned, no node keeps any more.',
  who: 'admin',
  async handle(call, parts) {
    const key = await ownedKey(call, parts)
    if (captureAt(key, call.nowMs) === null) throw notFound('capture')
    const change = await call.change(async ({ captures }, audit) => {
      const ended = existing(await captures.end(key.id, call.nowMs), 'capture')
      await audit(endNote(ended))
      return ended.change
    })
    await call.reachNodes(change)
  },
})

const readRequest = route('get /api/keys/{id}/capture/{request}', {
  summary: 'Read a captured request',
  description: 'What its client and the upstreams sent and got. The audit says who read it.',
  who: 'admin',
  answer: capturedRequest,
  async handle(call, parts) {
    const { id, accountId } = await ownedKey(call, parts)
    const { captures, settings } = parts.store
    const { capture_requests: isOn } = await readSettings(settings)
    const found = isOn ? await captures.find(id, call.nowMs) : null
    const kept = existing(
      found === null ? null : await captures.read(found.id, call.params.request),
      'captured request',
    )
    const { sealed, ...summary } = kept
    const content = capturedContent.parse(JSON.parse(parts.unseal(sealed)))
    // Before it is shown: what cannot be written down is not seen.
    await call.change((_stores, audit) => {
      const changes = changesBetween({}, { request: summary.requestId })
      return audit({ action: 'key.capture_read', subject: id, accountId, changes })
    })
    return { ...summaryOnWire(summary), ...content }
  },
})

export const captureRoutes: readonly ApiRoute[] = [read, begin, end, readRequest]

const WHY_NOT = {
  running: 'A capture of this key is running. End it before you begin another one.',
  busy: `${CAPTURES_AT_ONCE} captures are running, and more cannot. End one of them, or wait until one has ended.`,
  full: 'What captures may keep is kept: wait until some of it is a day old, or turn captures off, which deletes all of it.',
} as const

async function requireOn({ settings }: Pick<ChangeableStores, 'settings'>): Promise<void> {
  if ((await readSettings(settings)).capture_requests) return
  throw new Problem('conflict', 'Captures are off. Turn the setting capture_requests on before you begin one.')
}

function onWire(found: Capture, nowMs: number): CaptureView {
  const isOver = nowMs >= found.endsAt
  return {
    id: found.id,
    began_at: timeOnWire(found.createdAt),
    ends_at: timeOnWire(found.endsAt),
    is_running: found.ended === null && !isOver,
    requests: found.kept,
    most_requests: CAPTURE_REQUESTS,
    missed: found.missed,
    ended_because: found.ended?.because ?? (isOver ? 'time' : null),
    gone_at: timeOnWire(found.createdAt + CAPTURE_KEPT_MS),
  }
}

function summaryOnWire(kept: CapturedSummary): CapturedSummaryView {
  return {
    request_id: kept.requestId,
    created_at: timeOnWire(kept.createdAt),
    method: kept.method,
    path: kept.path,
    model: kept.model,
    status: kept.status,
    total_ms: kept.totalMs,
    request_bytes: kept.requestBytes,
    response_bytes: kept.responseBytes,
  }
}
