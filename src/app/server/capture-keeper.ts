import type { AuditEntry, AuditNote } from '../../access/audit.ts'
import type { EndedCapture } from '../../access/capture.ts'
import { endNote } from '../../control/audit/capture-notes.ts'
import { readUpkeepSettings } from '../../control/settings/upkeep-settings.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { CaptureKeeper } from '../../gateway/capture-keeper.ts'
import type { Store } from '../../store/store.ts'

/** Keeps captured requests in the store, sealed, as long as captures are on. */
export function captureKeeper(
  { store, sealer, log }: { readonly store: Store; readonly sealer: Sealer; readonly log: Logger },
  clock: Clock,
): CaptureKeeper {
  return {
    seal: (content) => sealer.seal(JSON.stringify(content)),
    keep: (captureId, request) =>
      store.together(async ({ captures, settings, audit }) => {
        const { capture_requests: isOn } = await readUpkeepSettings(settings)
        if (!isOn) return { takesMore: false }
        const { isKept, ended } = await captures.keep(captureId, request, clock.now())
        if (ended !== null) await audit.write(auditOfEnd(ended, clock.now()))
        return { takesMore: isKept && ended === null }
      }),
    noteMissed: (captureId, count) => store.captures.noteMissed(captureId, count),
    onFailure: (captureId, error) => log.error({ err: error, capture: captureId }, 'failed to keep captured requests'),
  }
}

/** The audit entry of a capture that ended by itself, in the name of the one who began it. */
export function auditOfEnd(ended: EndedCapture, nowMs: number): AuditEntry & AuditNote {
  return {
    ...endNote(ended),
    id: newId('aud', nowMs),
    createdAt: nowMs,
    actor: ended.capture.begunBy,
    via: 'none',
    address: '',
  }
}
