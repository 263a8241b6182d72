import { ONE_PPM, type PartsPerMillion, partsPerMillion } from '../../core/money.ts'
import type { ImportNotes, PlannedGroup, Product } from '../import-plan.ts'
import { nearest, type Rational, rational, times, wholeOf, ONE } from '../rational.ts'
import { entriesOf, jsonOf } from '../source.ts'
import { type Options, ratiosIn } from './options.ts'

/** The groups of the source, and which of them each of its groups of users may use. */
export interface GroupsOfUsers {
  readonly groups: readonly PlannedGroup[]
  mayUse(userGroup: string, used: string): boolean
  /** Whether keys of such a user may be in `auto`, which stands for a list of groups. */
  mayUseAuto(userGroup: string): boolean
  /** Closed groups that are open to a user in this group. */
  openTo(userGroup: string): readonly string[]
  /** The group here of keys of such a user that are in `used` there: its own where that has another multiplier for them. */
  groupFor(userGroup: string, used: string): string
  /** The groups here that serve what `used` serves there. */
  allOf(used: string): readonly string[]
  has(name: string): boolean
}

const BUILT_IN = new Map(['default', 'vip', 'svip'].map((name) => [name, ONE]))
const BUILT_IN_USABLE = ['default', 'vip']
/** The group of keys that are in the first of a list of groups. */
export const AUTO = 'auto'
const SPECIAL = 'group_ratio_setting.group_special_usable_group'

/** `userGroups`: those that users are in, which the source may have no ratio for. */
export function readGroups(
  options: Options,
  { product, userGroups, notes }: { product: Product; userGroups: ReadonlySet<string>; notes: ImportNotes },
): GroupsOfUsers {
  const ratios = new Map(ratiosIn(options, 'GroupRatio') ?? BUILT_IN)
  for (const name of userGroups) if (!ratios.has(name)) ratios.set(name, ONE)
  const usable = product === 'one-api' ? new Set<string>() : usableByAll(options)
  const special = product === 'one-api' ? new Map<string, SpecialGroups>() : specialGroups(options, notes)
  const derived = product === 'one-api' ? [] : derivedGroups(options, { ratios, notes })
  // In one-api a key has no group of its own: the usual one is open, the others to their users alone.
  const isOpen = (name: string) => (product === 'one-api' ? name === 'default' : usable.has(name))
  const groups = [...ratios].map(([name, ratio]): PlannedGroup => ({
    name,
    multiplier: multiplierOf(name, ratio, notes),
    isOpen: isOpen(name),
    isEnabled: true,
  }))
  const derivedFor = (userGroup: string, used: string) =>
    derived.find((each) => each.userGroup === userGroup && each.used === used)?.name ?? null
  const mayUse = (userGroup: string, name: string) =>
    ratios.has(name) && (name === userGroup || isOpen(name) || special.get(userGroup)?.given.has(name) === true)
  return {
    groups: [
      ...groups,
      ...derived.map(({ name, multiplier }) => ({ name, multiplier, isOpen: false, isEnabled: true })),
    ],
    mayUse,
    mayUseAuto(userGroup) {
      const own = special.get(userGroup)
      return own?.isAutoTaken !== true && (usable.has(AUTO) || own?.given.has(AUTO) === true)
    },
    openTo(userGroup) {
      const used = [...ratios.keys()].filter((name) => mayUse(userGroup, name))
      const named = used.flatMap((name) => {
        const own = derivedFor(userGroup, name)
        return own === null ? (isOpen(name) ? [] : [name]) : [own]
      })
      return [...new Set(named)].sort()
    },
    groupFor: (userGroup, used) => derivedFor(userGroup, used) ?? used,
    allOf: (used) => [used, ...derived.filter((each) => each.used === used).map(({ name }) => name)],
    has: (name) => ratios.has(name),
  }
}

/** Groups that every user may choose for a key. */
function usableByAll(options: Options): ReadonlySet<string> {
  const set = jsonOf(options.get('UserUsableGroups') ?? '')
  return new Set(set === undefined ? BUILT_IN_USABLE : entriesOf(set).map(([name]) => name))
}

/** What users of a group may use beside what all may. */
interface SpecialGroups {
  readonly given: ReadonlySet<string>
  readonly isAutoTaken: boolean
}

const TAKEN_AUTO = `-:${AUTO}`

/** Special groups by the group of users. What is taken from them can only be accepted. */
function specialGroups(options: Options, notes: ImportNotes): ReadonlyMap<string, SpecialGroups> {
  const set = entriesOf(jsonOf(options.get(SPECIAL) ?? ''))
  return new Map(
    set.map(([userGroup, changes]) => {
      const names = entriesOf(changes).map(([name]) => name)
      if (names.some((name) => name.startsWith('-:') && name !== TAKEN_AUTO)) {
        notes.approximate('taken-groups', userGroup)
      }
      const given = names.filter((name) => !name.startsWith('-:')).map((name) => name.replace(/^\+:/, ''))
      return [userGroup, { given: new Set(given), isAutoTaken: names.includes(TAKEN_AUTO) }]
    }),
  )
}

interface DerivedGroup {
  readonly name: string
  readonly used: string
  readonly userGroup: string
  readonly multiplier: PartsPerMillion
}

/** One closed group for each multiplier that users of a group have in another. */
function derivedGroups(
  options: Options,
  { ratios, notes }: { ratios: ReadonlyMap<string, Rational>; notes: ImportNotes },
): readonly DerivedGroup[] {
  return entriesOf(jsonOf(options.get('GroupGroupRatio') ?? '')).flatMap(([userGroup, own]) =>
    [...(ratiosIn(new Map([['own', JSON.stringify(own)]]), 'own') ?? [])].flatMap(([used, ratio]) => {
      if (!ratios.has(used)) return []
      const name = `${used}·${userGroup}`
      return [{ name, used, userGroup, multiplier: multiplierOf(name, ratio, notes) }]
    }),
  )
}

function multiplierOf(name: string, ratio: Rational, notes: ImportNotes): PartsPerMillion {
  const exact = times(ratio, rational(ONE_PPM))
  const whole = wholeOf(exact)
  if (whole === null) notes.approximate('multiplier', name)
  const ppm = whole ?? nearest(exact)
  if (ppm >= 0n) return partsPerMillion(ppm)
  notes.note('options', 'GroupRatio', `the group ${name} has a negative ratio, and the multiplier 1 here`)
  return ONE_PPM
}
