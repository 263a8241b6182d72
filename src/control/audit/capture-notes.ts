import { type AuditNote, changesBetween } from '../../access/audit.ts'
import type { Change } from '../../access/changes.ts'
import type { EndedCapture } from '../../access/capture.ts'
import type { ChangeableStores } from '../changeable-stores.ts'

/** What the audit says of a capture that ended. */
export function endNote({ capture, because }: EndedCapture): AuditNote {
  const { keyId: subject, accountId, kept } = capture
  return { action: 'key.capture_end', subject, accountId, changes: changesBetween({}, { because, requests: kept }) }
}

/** Captures are turned off: those that run end, and all that was kept is deleted. Within a transaction. */
export async function endCaptures(
  { captures }: Pick<ChangeableStores, 'captures'>,
  audit: (note: AuditNote) => Promise<void>,
  nowMs: number,
): Promise<readonly (Change | null)[]> {
  const ended = await captures.deleteAll(nowMs)
  for (const each of ended) await audit(endNote(each))
  return ended.map(({ change }) => change)
}
