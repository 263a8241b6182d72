// Finds the bundle of the gateway that `npm ci` makes of the sources (tools/bundle.ts): half the work of a start, and less
// memory. It is used only while it is the same as the sources, so that what is started is always what is there.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Below the root: one file for each part that is loaded by itself. */
export const BUNDLE_FOLDER = 'dist/bundle'
/** The name of the file in that folder that says what the bundle was made of. */
export const BUNDLE_RECORD = 'made-of.json'

/** The URL of the bundle's first file; null where there is no bundle, or a file that it was made of has changed since. */
export function freshBundle(root) {
  try {
    const record = JSON.parse(readFileSync(join(root, BUNDLE_FOLDER, BUNDLE_RECORD), 'utf8'))
    return record.every((file) => isSame(root, file)) ? pathToFileURL(join(root, BUNDLE_FOLDER, 'main.js')).href : null
  } catch {
    return null
  }
}

/** What tells a changed file from the one that was read: `[path, bytes, time]`. Throws when there is none. */
export function stateOfFile(root, path) {
  const { size, mtimeMs } = statSync(join(root, path))
  return [path, size, mtimeMs]
}

function isSame(root, [path, size, mtimeMs]) {
  // 700 paths are put together here at each start: `join` would take as long as all the rest.
  const now = statSync(`${root}/${path}`)
  return now.size === size && now.mtimeMs === mtimeMs
}
