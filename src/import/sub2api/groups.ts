import { formatMultiplier, ONE_PPM } from '../../core/money.ts'
import type { ImportNotes, PlannedGroup } from '../import-plan.ts'
import { isSetColumn } from '../left-behind.ts'
import { isTrueIn, jsonIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import { multiplierIn } from './money.ts'

const COLUMNS = words(
  'name rate_multiplier status is_exclusive subscription_type daily_limit_usd weekly_limit_usd',
  'monthly_limit_usd deleted_at platform model_pricing long_context_pricing_enabled peak_rate_multiplier',
  'peak_start peak_end model_routing_enabled',
)
/** What a group may have that nothing here does. */
const LISTED = words(
  'peak_rate_enabled fallback_group_id fallback_group_id_on_invalid_request claude_code_only model_routing',
  'default_mapped_model models_list_config max_reasoning_effort',
)

const REASONS: Readonly<Record<string, string>> = {
  default_mapped_model: ': it stands for every name that no account knows, and a model here has its own',
  peak_rate_enabled: ': a multiplier here is the same at all hours',
}

/** What is switched on, and changes nothing; or stands there, and is switched off. */
function isWithoutEffect(row: Row, column: string): boolean {
  if (column === 'model_routing') return row['model_routing_enabled'] != null && !isTrueIn(row, 'model_routing_enabled')
  if (column !== 'peak_rate_enabled') return false
  const [start, end] = [textIn(row, 'peak_start'), textIn(row, 'peak_end')]
  // There it counts for groups that are sold alone, and within one day.
  return !isSold(row) || start >= end || multiplierIn(row, 'peak_rate_multiplier') === ONE_PPM
}

function hoursOf(row: Row, column: string): string {
  if (column !== 'peak_rate_enabled') return ''
  const factor = formatMultiplier(multiplierIn(row, 'peak_rate_multiplier'))
  return ` (there ×${factor} from ${textIn(row, 'peak_start')} to ${textIn(row, 'peak_end')})`
}

export interface Sub2apiGroups {
  readonly groups: readonly PlannedGroup[]
  readonly rows: ReadonlyMap<string, Row>
  /** The name of a group by the id of the source; undefined for one that is gone. */
  nameOf(groupId: string): string | undefined
  /** The group here of a user's keys in a group there: its own where the user has another multiplier. */
  nameFor(userId: string, groupId: string): string | undefined
  /** The closed groups that are open to a user. */
  openTo(userId: string): readonly string[]
  /** Closed groups here for users with another multiplier in this one. */
  ownOf(groupId: string): readonly string[]
  /** The groups here that serve what this one serves there. */
  allOf(groupId: string): readonly string[]
}

export function isSold(group: Row): boolean {
  return textIn(group, 'subscription_type') === 'subscription'
}

export async function readGroups(source: SourceReader, notes: ImportNotes): Promise<Sub2apiGroups> {
  const rows = new Map<string, Row>()
  const names = new Map<string, string>()
  for await (const row of source.rows('groups', [...COLUMNS, ...LISTED])) {
    const id = textIn(row, 'id')
    if (row['deleted_at'] != null) {
      notes.note('groups', id, 'are deleted there')
      continue
    }
    rows.set(id, row)
    const name = textIn(row, 'name').trim()
    names.set(id, [...names.values()].includes(name) ? `${name} (${id})` : name)
    for (const column of LISTED.filter((each) => isSetColumn(row, each) && !isWithoutEffect(row, each)))
      notes.note('groups', id, `have ${column}, which is not carried${REASONS[column] ?? ''}${hoursOf(row, column)}`)
    if (isSetColumn(row, 'model_pricing') && !Array.isArray(jsonIn(row, 'model_pricing')))
      notes.note('groups', id, 'have model_pricing, which is not carried: it is not a list of prices')
  }
  const own = await ownMultipliers(source, names)
  const allowed = new Map<string, string[]>()
  for await (const row of source.rows('user_allowed_groups', ['user_id', 'group_id'])) {
    const user = textIn(row, 'user_id')
    allowed.set(user, [...(allowed.get(user) ?? []), textIn(row, 'group_id')])
  }
  const isOpen = (id: string) => {
    const row = rows.get(id)
    return row !== undefined && !isTrueIn(row, 'is_exclusive') && !isSold(row)
  }
  const plain = [...rows].map(([id, row]): PlannedGroup => ({
    name: names.get(id) ?? '',
    multiplier: multiplierIn(row, 'rate_multiplier'),
    isOpen: isOpen(id),
    isEnabled: textIn(row, 'status') === 'active',
  }))
  const nameFor = (user: string, id: string) => own.names.get(`${user} ${id}`) ?? names.get(id)
  const ownOf = (id: string) => own.groups.filter(({ of }) => of === id).map(({ group }) => group.name)
  return {
    groups: [
      ...plain,
      ...own.groups.map(({ group, of }) => ({
        ...group,
        isEnabled: textIn(rows.get(of) ?? {}, 'status') === 'active',
      })),
    ],
    rows,
    nameOf: (id) => names.get(id),
    nameFor,
    openTo(user) {
      const mayUse = [...rows.keys()].filter((id) => isOpen(id) || allowed.get(user)?.includes(id) === true)
      const closed = mayUse.filter((id) => !isOpen(id) || own.names.has(`${user} ${id}`))
      return [...new Set(closed.flatMap((id) => nameFor(user, id) ?? []))].sort()
    },
    ownOf,
    allOf: (id) => [...[names.get(id)].filter((name) => name !== undefined), ...ownOf(id)],
  }
}

interface UserMultipliers {
  /** Names by user and group. */
  readonly names: ReadonlyMap<string, string>
  readonly groups: readonly { readonly of: string; readonly group: PlannedGroup }[]
}

/** A closed group for each multiplier that some users have in a group. */
async function ownMultipliers(source: SourceReader, groupNames: ReadonlyMap<string, string>): Promise<UserMultipliers> {
  const names = new Map<string, string>()
  const groups = new Map<string, { readonly of: string; readonly group: PlannedGroup }>()
  for await (const row of source.rows('user_group_rate_multipliers', ['user_id', 'group_id', 'rate_multiplier'])) {
    const of = textIn(row, 'group_id')
    const used = groupNames.get(of)
    if (used === undefined || row['rate_multiplier'] == null) continue
    const multiplier = multiplierIn(row, 'rate_multiplier')
    const name = `${used}·${formatMultiplier(multiplier)}`
    names.set(`${textIn(row, 'user_id')} ${of}`, name)
    groups.set(name, { of, group: { name, multiplier, isOpen: false, isEnabled: true } })
  }
  return { names, groups: [...groups.values()] }
}
