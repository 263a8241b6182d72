import { DRIVERS, OPEN_FILES, OPEN_FOLDERS, OPEN_TO_TEST_FILES, ROOMS, roomOf, TYPES_ONLY, type Room } from './rooms.ts'
import type { Finding, SourceFile } from './source-files.ts'
import { readImports, type FileImports, type SourceImport } from './source-imports.ts'

/** Everything in which the sources differ from the table of rooms, in the order of the files. */
export function checkRooms(sources: readonly SourceFile[]): Finding[] {
  return sources.map(readImports).flatMap(checkFile)
}

function checkFile(file: FileImports): Finding[] {
  const room = roomOf(file.path)
  if (room === undefined) return [{ file: file.path, line: 1, what: 'stands in no room of the table' }]
  const whole = file.onlyReExports ? [{ line: 1, what: 'is a barrel: it only passes on what others export' }] : []
  const parts = file.imports.flatMap((one) => {
    const what = objection(file.path, room, one)
    return what === undefined ? [] : [{ line: one.line, what }]
  })
  return [...whole, ...parts].map((finding) => ({ file: file.path, ...finding }))
}

/** Why the import may not stand there, or undefined. */
function objection(path: string, room: Room, { specifier, target, typesOnly }: SourceImport): string | undefined {
  if (specifier === undefined) return 'imports what cannot be read: the name must be a plain string'
  if (target === undefined) return packageObjection(path, room, specifier)
  if (OPEN_TO_TEST_FILES.folders.some((folder) => target.startsWith(folder)) && isTestFile(path)) return undefined
  if (target === 'package.json' && room === 'app') return undefined
  if (target === 'client/package.json' && room === 'client') return undefined
  if (!/^(?:src|console|client)\//.test(target)) return `imports ${target}, which is not a source`
  if (!/\.tsx?$/.test(target)) return `imports ${target}: the file's full name is needed, with .ts`
  if (isTestFile(target)) return `imports ${target}, a test file`
  return roomObjection(path, room, { target, typesOnly })
}

function roomObjection(path: string, room: Room, to: { target: string; typesOnly: boolean }): string | undefined {
  const targetRoom = roomOf(to.target)
  if (targetRoom === undefined) return `imports ${to.target}, which stands in no room`
  if (targetRoom === room) return undefined
  const open: readonly Room[] = isTestFile(path) ? [...ROOMS[room], ...OPEN_TO_TEST_FILES.rooms] : ROOMS[room]
  if (OPEN_FILES[room]?.includes(to.target) === true) return undefined
  if (!open.includes(targetRoom)) return `imports ${to.target}: ${room} may not import ${targetRoom}`
  if (isPrivate(to.target, targetRoom)) return `imports ${to.target}, which is private to ${targetRoom}`
  if (TYPES_ONLY[room]?.includes(targetRoom) === true && !to.typesOnly) {
    return `imports ${to.target}: ${room} may only import types from ${targetRoom}`
  }
  return undefined
}

/** Whether the file lies in an inner folder that its room keeps to itself. */
function isPrivate(target: string, room: Room): boolean {
  const [, , folder = '', ...rest] = target.split('/')
  if (rest.length === 0) return false
  return rest.length > 1 || OPEN_FOLDERS[room]?.includes(folder) !== true
}

function packageObjection(path: string, room: Room, specifier: string): string | undefined {
  if (/^(#|\/|file:|data:)/.test(specifier)) return `imports ${specifier}: files are imported by their relative path`
  const [name] = Object.keys(DRIVERS).filter((driver) => specifier === driver || specifier.startsWith(`${driver}/`))
  if (name === undefined || isTestFile(path) || DRIVERS[name]?.includes(room) === true) return undefined
  return `imports ${specifier}: only ${DRIVERS[name]?.join(', ')} may`
}

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}
