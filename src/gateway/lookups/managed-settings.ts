import { createHash } from 'node:crypto'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { ClaudeSettings } from '../../core/claude-settings.ts'
import { callableModels } from '../../entitlement/callable-models.ts'
import type { Snapshot } from '../snapshot.ts'

/** What a signed-in Claude Code is given for its settings; null: nothing, and it goes by its own. */
export interface ManagedSettings {
  readonly body: { readonly uuid: string; readonly checksum: string; readonly settings: object }
  /** The checksum in quotes. */
  readonly etag: string
}

/** What Claude Code calls where nothing is set (2.1.332, measured). */
const TAKEN_BY_ITSELF = ['claude-opus-4-7', 'claude-haiku-4-5-20251001'] as const
const FAMILIES = ['opus', 'sonnet', 'haiku'] as const
const MODELS_LIMIT = 100

/** What groups set, each with its checksum: made once for each state of the catalogue, whose groups are new objects. */
const ofGroups = new WeakMap<ClaudeSettings, ManagedSettings>()

/**
 * The settings of the caller's group. A group that has none is given those by which Claude Code asks for models that it has, only
 * where one is lacking that it takes by itself. Of each family it gets the first by name from the newest; where the group has none
 * of Anthropic’s names, any chat model of it.
 */
export function managedSettings(caller: KeyWithOwner, snapshot: Snapshot, nowMs: number): ManagedSettings | null {
  const { groupId } = caller.key
  const ofGroup = snapshot.groupsById.get(groupId)?.claudeSettings
  if (ofGroup === undefined) return ofModels(caller, snapshot, nowMs)
  const known = ofGroups.get(ofGroup)
  if (known !== undefined) return known
  const made = given(ofGroup, groupId)
  ofGroups.set(ofGroup, made)
  return made
}

function ofModels(caller: KeyWithOwner, snapshot: Snapshot, nowMs: number): ManagedSettings | null {
  const names = callableModels(caller, { catalogue: snapshot, nowMs }).map(({ model }) => model.name)
  if (names.length === 0 || TAKEN_BY_ITSELF.every((name) => names.includes(name))) return null
  const newest = names.toSorted((a, b) => (a < b ? 1 : -1))
  const [any = ''] = names
  const ofFamily = (family: string) => newest.find((name) => name.includes(family))
  const model = ofFamily('opus') ?? ofFamily('sonnet') ?? any
  const settings = {
    availableModels: names.slice(0, MODELS_LIMIT),
    model,
    env: Object.fromEntries(
      FAMILIES.map((family) => [`ANTHROPIC_DEFAULT_${family.toUpperCase()}_MODEL`, ofFamily(family) ?? model]),
    ),
  }
  return given(settings, caller.key.groupId)
}

function given(settings: object, uuid: string): ManagedSettings {
  const checksum = `sha256:${createHash('sha256').update(canonical(settings)).digest('hex')}`
  return { body: { uuid, checksum, settings }, etag: `"${checksum}"` }
}

/** JSON without white space, the keys of each object in order: what the client takes the checksum of as well. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
