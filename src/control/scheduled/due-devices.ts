import { notingChanges } from '../../access/audit.ts'
import { DEVICE_NEVER_USED_MS } from '../../core/device-limits.ts'
import { deviceSignedOut } from '../audit/device-notes.ts'
import type { ControlStores } from '../parts.ts'
import { deviceTerms, readUpkeepSettings } from '../settings/upkeep-settings.ts'

/** How many devices and requests one look takes; those that are left have the next one. */
const AT_ONCE = 200
/** Who ends a device whose time is over. */
const BY_TIME = { actor: 'anonymous', via: 'none', address: '' } as const

/**
 * Signs out the devices whose time is over, that were not used for long, or that were approved and never used; and deletes requests
 * that were not decided in time. Of all nodes that try at once, one does. Resolves to the devices.
 */
export async function endDueDevices(
  store: Pick<ControlStores, 'together' | 'devices' | 'settings'>,
  nowMs: number,
): Promise<readonly string[]> {
  await store.devices.forgetRequests(nowMs, AT_ONCE)
  const terms = deviceTerms(await readUpkeepSettings(store.settings))
  const due = await store.devices.due({ nowMs, neverUsedMs: DEVICE_NEVER_USED_MS, ...terms }, AT_ONCE)
  const ended: string[] = []
  for (const keyId of due) {
    const isEnded = await store.together(async ({ keys, devices, audit }) => {
      const device = await devices.find(keyId)
      if (device === null || (await keys.setStatus(keyId, 'deleted', nowMs)) === null) return false
      await notingChanges(audit, { author: BY_TIME, nowMs })(deviceSignedOut(device))
      return true
    })
    if (isEnded) ended.push(keyId)
  }
  return ended
}
