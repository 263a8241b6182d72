import { expect, test } from 'vitest'
import { clientsNamed, fewClients } from './shown-clients.ts'

const CLIENTS = ['claude-code', 'codex', 'opencode', 'cursor', 'zed', 'n8n', 'cherry-studio', 'curl'].map((id) => ({
  id,
  name: id.toUpperCase(),
}))
const idsOf = (how: Parameters<typeof fewClients>[1]) => fewClients(CLIENTS, how).map(({ id }) => id)

test('six clients are offered at first, the one used last before the usual ones', () => {
  const usual = ['claude-code', 'codex', 'opencode', 'cherry-studio', 'cursor', 'curl']
  expect(idsOf({ last: null, chosen: undefined })).toEqual(usual)
  expect(idsOf({ last: 'zed', chosen: 'zed' })).toEqual(['zed', ...usual.slice(0, 5)])
  expect(idsOf({ last: 'curl', chosen: 'curl' })).toEqual(['curl', ...usual.slice(0, 5)])
})

test('the chosen client is always in sight, and one that this gateway does not know never', () => {
  expect(idsOf({ last: 'zed', chosen: 'n8n' }).at(-1)).toBe('n8n')
  expect(idsOf({ last: 'gone', chosen: undefined })).not.toContain('gone')
})

test('a client is found by any part of its name', () => {
  expect(clientsNamed(CLIENTS, ' cod ').map(({ id }) => id)).toEqual(['claude-code', 'codex', 'opencode'])
})
