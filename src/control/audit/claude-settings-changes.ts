import { isDeepStrictEqual } from 'node:util'
import type { Changes } from '../../access/audit.ts'
import { type ClaudeSetting, type ClaudeSettings, eachClaudeSetting } from '../../core/claude-settings.ts'

/** Longer values are not shown. */
const SHOWN_CHARACTERS = 500

/**
 * What the audit says of changed settings of Claude Code: each by its path. Of variables that are not known to be harmless it has
 * no values, since a telemetry collector may know its senders by them.
 */
export function changedClaudeSettings(before: ClaudeSettings | undefined, after: ClaudeSettings | undefined): Changes {
  const [was, is] = [byPath(before), byPath(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  const changed = [...paths].filter((path) => !isDeepStrictEqual(was.get(path)?.value, is.get(path)?.value))
  return Object.fromEntries(
    changed.map((path) => [`claude_settings.${path}`, { before: shown(was.get(path)), after: shown(is.get(path)) }]),
  )
}

/** Finds the settings for admins alone that differ, by their paths. */
export function changedAdminSettings(
  before: ClaudeSettings | undefined,
  after: ClaudeSettings | undefined,
): readonly string[] {
  const [was, is] = [byPath(before), byPath(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].filter((path) => {
    const does = (is.get(path) ?? was.get(path))?.does
    return does !== 'harmless' && !isDeepStrictEqual(was.get(path)?.value, is.get(path)?.value)
  })
}

function byPath(settings: ClaudeSettings = {}): ReadonlyMap<string, ClaudeSetting> {
  return new Map(eachClaudeSetting(settings).map((each) => [each.path, each]))
}

function shown(setting: ClaudeSetting | undefined): unknown {
  if (setting === undefined) return null
  if (setting.path.startsWith('env.') && setting.does !== 'harmless') return '•••'
  return JSON.stringify(setting.value).length > SHOWN_CHARACTERS ? '…' : setting.value
}
