/** The rooms of `src/` and, for each, the rooms it may import. Its own room is always open to a file. */
export const ROOMS = {
  'main.ts': ['app'],
  app: [
    'gateway',
    'control',
    'contract',
    'import',
    'payments',
    'entitlement',
    'store',
    'cluster',
    'alerts',
    'upstreams',
    'protocols',
    'access',
    'metering',
    'routing',
    'telemetry',
    'causes',
    'price-lists',
    'models',
    'core',
  ],
  gateway: [
    'entitlement',
    'upstreams',
    'protocols',
    'access',
    'metering',
    'routing',
    'telemetry',
    'causes',
    'models',
    'core',
  ],
  control: [
    'contract',
    'payments',
    'entitlement',
    'alerts',
    'access',
    'metering',
    'routing',
    'causes',
    'models',
    'core',
  ],
  import: ['entitlement', 'access', 'metering', 'routing', 'causes', 'price-lists', 'core'],
  store: ['import', 'cluster', 'entitlement', 'alerts', 'access', 'metering', 'routing', 'core'],
  payments: ['metering', 'core'],
  cluster: ['access', 'metering', 'core'],
  alerts: ['metering', 'core'],
  upstreams: ['protocols', 'routing', 'core'],
  entitlement: ['access', 'metering', 'routing', 'causes', 'core'],
  contract: ['price-lists', 'models', 'core'],
  protocols: ['models', 'core'],
  access: ['causes', 'core'],
  metering: ['causes', 'core'],
  routing: ['models', 'core'],
  models: ['core'],
  telemetry: ['core'],
  causes: ['core'],
  'price-lists': ['core'],
  core: [],
  console: ['contract', 'causes', 'price-lists'],
  client: [],
} as const satisfies Record<string, readonly string[]>

export type Room = keyof typeof ROOMS

/**
 * Inner folders that are public too, one level down: subjects of their own, in rooms too wide for one flat folder. Every other
 * inner folder is private to its room.
 */
export const OPEN_FOLDERS: Partial<Record<Room, readonly string[]>> = {
  contract: ['objects'],
  control: ['accounts', 'audit', 'docs', 'explain', 'payments', 'scheduled', 'settings'],
  metering: ['admission', 'budgets', 'funds', 'limits', 'prices', 'settle', 'usage'],
  protocols: ['json'],
}

/** Rooms that another room may import types from, and nothing that runs. */
export const TYPES_ONLY: Partial<Record<Room, readonly Room[]>> = { console: ['contract'], store: ['import'] }

/** Single files of a room that another one may import, which otherwise may import nothing of it. */
export const OPEN_FILES: Partial<Record<Room, readonly string[]>> = {
  console: ['src/core/typed-number.ts', 'src/core/credential-kind.ts', 'src/core/claude-settings.ts'],
}

/** What a test file beside the sources may import, besides what its room may. */
export const OPEN_TO_TEST_FILES = { rooms: ['core'], folders: ['test/support/', 'tools/fake-upstream/'] } as const

/** Packages that reach a disk, a database or the network, and the only rooms that may hold them. */
export const DRIVERS: Readonly<Record<string, readonly Room[]>> = {
  'node:sqlite': ['store', 'import'],
  pg: ['store', 'import'],
  mysql2: ['import'],
  stripe: ['payments'],
  kysely: ['store'],
}

/** The room of a file by its path from the project's root, or undefined where no room is. */
export function roomOf(path: string): Room | undefined {
  if (path === 'src/main.ts' || path === 'src/main.test.ts') return 'main.ts'
  const [top, folder, file] = path.split('/')
  if (top === 'console' || top === 'client') return top
  if (top !== 'src' || file === undefined || folder === undefined) return undefined
  return folder !== 'console' && folder !== 'client' && isRoom(folder) ? folder : undefined
}

function isRoom(name: string): name is Room {
  return Object.hasOwn(ROOMS, name) && name !== 'main.ts'
}
