import type { Selectable } from 'kysely'
import { type Group, type GroupStore, openToRoles } from '../../access/group.ts'
import type { ClaudeSettings } from '../../core/claude-settings.ts'
import { type DeviceRuleOnWire, readDeviceRule, writtenDeviceRule } from '../../core/device-rule.ts'
import { partsPerMillion } from '../../core/money.ts'
import type { Role } from '../../core/roles.ts'
import { readResponseCache, type ResponseCacheOnWire, writtenResponseCache } from '../../core/response-cache-rule.ts'
import type { StoredUse } from '../../core/stored-edits.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import type { GroupRow } from '../schema/tables.ts'
import { countKeysByGroup, keyIsInGroup, movableKeysOf, naming } from './keys-of-groups.ts'
import { NAMED_USES, namedObjects, type NamedObjects, type NamedRow } from './named-objects.ts'

export function groupsOn(database: Database): GroupStore {
  const groups = namedObjects(database, GROUPS)
  return {
    groups: groups.all,
    putGroup: async (group) => (await groups.put(group))?.change ?? null,
    addGroup: groups.add,
    editGroup: groups.edit,
    deleteGroup: (id, nowMs) =>
      groups.remove(id, async (transaction) => [
        await keysIn(transaction, id),
        await plansOver(transaction, id),
        await subscriptionsOver(transaction, id, nowMs),
        await modelsWithTargetsFor(transaction, id),
      ]),
    keyCounts: () => countKeysByGroup(database),
    movableKeys: (groupId, limit) => movableKeysOf(database, { groupId, limit }),
  }
}

const GROUPS: NamedObjects<Group> = { table: 'groups', rowOf, storedOf: groupOf, isRemembered: true }

/** Keys that were not deleted, whether the group is their first or one they fall back to. */
async function keysIn(transaction: TablesTransaction, groupId: string): Promise<StoredUse> {
  const { found } = await transaction
    .selectFrom('api_keys')
    .select((key) => key.fn.countAll<number>().as('found'))
    .where('status', '<>', 'deleted')
    .where(keyIsInGroup(groupId))
    .executeTakeFirstOrThrow()
  return { by: 'keys', count: found, names: [] }
}

async function plansOver(transaction: TablesTransaction, groupId: string): Promise<StoredUse> {
  const plans = await transaction
    .selectFrom('plans')
    .select('name')
    .where('group_ids_json', 'like', naming(groupId))
    .orderBy('name')
    .execute()
  return { by: 'plans', count: plans.length, names: plans.slice(0, NAMED_USES).map(({ name }) => name) }
}

async function subscriptionsOver(transaction: TablesTransaction, groupId: string, nowMs: number): Promise<StoredUse> {
  const { found } = await transaction
    .selectFrom('subscriptions')
    .select((subscription) => subscription.fn.countAll<number>().as('found'))
    .where('ends_at', '>', nowMs)
    .where('cancelled_at', 'is', null)
    .where('group_ids_json', 'like', naming(groupId))
    .executeTakeFirstOrThrow()
  return { by: 'subscriptions', count: found, names: [] }
}

async function modelsWithTargetsFor(transaction: TablesTransaction, groupId: string): Promise<StoredUse> {
  const models = await transaction
    .selectFrom('models')
    .select('name')
    .where('targets_json', 'like', naming(groupId))
    .orderBy('name')
    .execute()
  return { by: 'models', count: models.length, names: models.slice(0, NAMED_USES).map(({ name }) => name) }
}

function rowOf(group: Group): NamedRow {
  return {
    id: group.id,
    name: group.name,
    multiplier_ppm: group.multiplier,
    models_json: JSON.stringify(group.models),
    is_enabled: group.isEnabled,
    is_open: group.isOpen,
    open_roles_json: JSON.stringify(group.openRoles ?? []),
    is_managed: group.isManaged,
    claude_settings_json: group.claudeSettings === undefined ? null : JSON.stringify(group.claudeSettings),
    devices_json: group.devices === undefined ? null : JSON.stringify(writtenDeviceRule(group.devices)),
    cache_json: JSON.stringify(
      group.cache === undefined ? {} : { ...writtenResponseCache(group.cache), since: group.cache.since },
    ),
  }
}

function groupOf(row: Selectable<GroupRow>): Group {
  return {
    id: row.id,
    name: row.name,
    multiplier: partsPerMillion(row.multiplier_ppm),
    models: row.models_json as readonly string[],
    isEnabled: row.is_enabled,
    isOpen: row.is_open,
    ...openToRoles(row.open_roles_json as readonly Role[]),
    isManaged: row.is_managed,
    ...cacheOf(row.cache_json as StoredCache | Record<string, never>),
    ...(row.devices_json === null ? {} : { devices: readDeviceRule(row.devices_json as DeviceRuleOnWire) }),
    ...(row.claude_settings_json === null ? {} : { claudeSettings: row.claude_settings_json as ClaudeSettings }),
  }
}

/** Stored as it is written elsewhere; empty: there is none. */
/** `since` is missing in rules of the first versions that had them. */
type StoredCache = ResponseCacheOnWire & { readonly since?: number }

function cacheOf(stored: StoredCache | Record<string, never>): Pick<Group, 'cache'> {
  return 'price' in stored ? { cache: readResponseCache(stored as ResponseCacheOnWire, stored.since ?? 0) } : {}
}
