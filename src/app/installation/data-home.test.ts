import { expect, test } from 'vitest'
import { defaultDataDirectory, overlookedData } from './environment.ts'

const installed = (environment: Record<string, string>, system = 'linux') =>
  defaultDataDirectory(environment, { isCheckout: false, system })

test('an installed package keeps its data in the user’s data home, wherever the command is entered', () => {
  expect(installed({ HOME: '/home/ada' })).toBe('/home/ada/.local/share/tollgate')
  expect(installed({ HOME: '/home/ada', XDG_DATA_HOME: '/srv/share' })).toBe('/srv/share/tollgate')
  expect(installed({ HOME: '/home/ada', XDG_DATA_HOME: 'relative' })).toBe('/home/ada/.local/share/tollgate')
  expect(installed({ HOME: '/home/ada' }, 'darwin')).toBe('/home/ada/.local/share/tollgate')
  expect(installed({ HOME: '/home/ada', LOCALAPPDATA: '/local' }, 'win32')).toBe('/local/tollgate')
  expect(installed({})).toMatch(/^\/.*tollgate$/)
})

test('a checkout keeps its data beside its sources', () => {
  expect(defaultDataDirectory({ HOME: '/home/ada', XDG_DATA_HOME: '/srv/share' })).toBe('./data')
})

test('data that were made in ./data are pointed out only where they would be overlooked', () => {
  const has =
    (...paths: string[]) =>
    (path: unknown) =>
      paths.includes(String(path))
  expect(overlookedData('/home/ada/.local/share/tollgate', has('data/tollgate.db', 'data/secret'))).toBe('./data')
  expect(overlookedData('/home/ada/.local/share/tollgate', has('data/tollgate.db'))).toBeNull()
  expect(overlookedData('./data', has('data/tollgate.db', 'data/secret'))).toBeNull()
})
