import { createHash } from 'node:crypto'
import { type Changes, changesBetween } from '../../access/audit.ts'
import { z } from '@hono/zod-openapi'
import { version } from '../../contract/wire-values.ts'
import { Problem } from '../problem.ts'

/** What can be set on an object, by the names that the API has for it; never a secret. */
export type ObjectSettings = Readonly<Record<string, unknown>>

const VERSION_CHARACTERS = 22

/**
 * The version of an object: another one whenever what can be set on it is another. What it used, and how it stands, makes no
 * new version. `secrets`: what is set and not shown, sealed or as a hash.
 */
export function versionOf(settings: ObjectSettings, secrets: readonly string[] = []): string {
  const text = JSON.stringify([sorted(settings), secrets])
  return createHash('sha256').update(text).digest('base64url').slice(0, VERSION_CHARACTERS)
}

export function etagOf(versionNow: string): string {
  return `"${versionNow}"`
}

/** Whether an answer of this schema is one object with a version. */
export function isVersioned(schema: z.ZodType | null): boolean {
  const field: unknown = schema instanceof z.ZodObject ? schema.shape['version'] : undefined
  return field === version || (field instanceof z.ZodOptional && field.unwrap() === version)
}

/** What an edit makes of an object: how it stands, and how it would stand. */
export interface VersionedEdit {
  readonly before: ObjectSettings
  readonly after: ObjectSettings
  /** See `versionOf`: those that are stored now. */
  readonly secrets?: readonly string[]
}

/**
 * Throws Problem `version_mismatch`, with both versions of each field that the edit would change, where the header names
 * versions and none of them is the one that stands. null: no header was sent.
 */
export function requireVersion(ifMatch: string | null, { before, after, secrets = [] }: VersionedEdit): void {
  if (ifMatch === null) return
  const standing = versionOf(before, secrets)
  if (namesVersion(ifMatch, standing)) return
  throw new Problem(
    'version_mismatch',
    'It was changed since you read it. "differences" has what stands now and what you sent: read it again, or send the request with the new version.',
    { version: standing, differences: differencesIn(changesBetween(before, after)) },
  )
}

/** A server in front that compresses makes a strong tag weak; ours is of the settings and not of the bytes, so both mean the same. */
function namesVersion(ifMatch: string, standing: string): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etagOf(standing))
}

function differencesIn(changes: Changes) {
  return Object.entries(changes).map(([field, { before, after }]) => ({ field, current: before, yours: after }))
}

/** Sorts names, so that equal settings give one text in whatever order they were put together. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]))
}
