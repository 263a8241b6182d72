import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { handHost } from '../../test/support/client-host.ts'
import type { PlannedFile } from '../changes/prepared-file.ts'
import { deviceIn } from '../gateway/device.ts'
import type { System } from '../host.ts'
import { CLIENTS } from './all-clients.ts'

const ADDRESS = 'https://127.0.0.1:8787'

/** The files that are written for each client on a computer of this system, and what is written there. */
async function plans(system: System, env: Record<string, string> = {}) {
  const place =
    system === 'windows'
      ? { home: 'C:\\Users\\ada', paths: win32, node: 'C:\\Program Files\\nodejs\\node.exe' }
      : { home: '/home/ada', paths: posix, node: '/opt/my node/node' }
  const host = { ...handHost({ system, env }), ...place }
  const state = deviceIn(ADDRESS, { models: ['claude-sonnet-4-5', 'gpt-5.2', 'gemini-3-pro'] })
  const wants = { tokenCommand: true, statusLine: true }
  const asked = { host, address: ADDRESS, state, model: null, secret: 's', isSetUp: false, wants }
  const planned = await Promise.all(
    CLIENTS.map(
      async ({ id, plan }) =>
        [
          id,
          await Promise.resolve()
            .then(() => plan(asked))
            .catch((error: Error) => error.message),
        ] as const,
    ),
  )
  return Object.fromEntries(planned.map(([id, plan]) => [id, typeof plan === 'string' ? plan : plan.files]))
}

function pathsOf(files: Awaited<ReturnType<typeof plans>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([id, found]) => [id, typeof found === 'string' ? found : found.map(({ path }) => path)]),
  )
}

test('on Linux and macOS, files of clients are where the clients look for them', async () => {
  const expected = {
    'claude-code': ['/home/ada/.claude/settings.json'],
    codex: ['/home/ada/.codex/config.toml'],
    'copilot-cli': ['/home/ada/.bashrc'],
    pi: ['/home/ada/.pi/agent/models.json', '/home/ada/.pi/agent/settings.json'],
    opencode: ['/home/ada/.config/opencode/opencode.json', '/home/ada/.config/opencode/plugins/tollgate.js'],
    'gemini-cli': ['/home/ada/.gemini/.env', '/home/ada/.gemini/settings.json'],
    'qwen-code': ['/home/ada/.qwen/.env', '/home/ada/.qwen/settings.json'],
    aider: ['/home/ada/.aider.conf.yml'],
    kilo: ['/home/ada/.config/kilo/kilo.json'],
    continue: ['/home/ada/.continue/config.yaml'],
  }
  expect(pathsOf(await plans('linux'))).toEqual(expected)
  expect(pathsOf(await plans('macos', { SHELL: '/bin/zsh' }))).toEqual({
    ...expected,
    'copilot-cli': ['/home/ada/.zshrc'],
  })
  const moved = {
    CODEX_HOME: '/srv/codex',
    CLAUDE_CONFIG_DIR: '/srv/claude',
    XDG_CONFIG_HOME: '/srv/config',
    SHELL: '/usr/bin/fish',
  }
  expect(pathsOf(await plans('linux', moved))).toMatchObject({
    'claude-code': ['/srv/claude/settings.json'],
    codex: ['/srv/codex/config.toml'],
    'copilot-cli': ['/srv/config/fish/conf.d/tollgate.fish'],
    opencode: ['/srv/config/opencode/opencode.json', '/srv/config/opencode/plugins/tollgate.js'],
  })
})

test('on Windows, paths are its own, and commands keep them together', async () => {
  const files = await plans('windows')
  expect(pathsOf(files)).toMatchObject({
    'claude-code': ['C:\\Users\\ada\\.claude\\settings.json'],
    codex: ['C:\\Users\\ada\\.codex\\config.toml'],
    'copilot-cli': expect.stringContaining('tollgate run copilot-cli'),
    'gemini-cli': ['C:\\Users\\ada\\.gemini\\.env', 'C:\\Users\\ada\\.gemini\\settings.json'],
  })
  const copy = 'C:\\Users\\ada\\AppData\\Local\\tollgate-client\\tollgate.cjs'
  const [claude] = files['claude-code'] as PlannedFile[]
  expect(claude?.edits.find(({ key }) => key[0] === 'apiKeyHelper')?.value).toBe(
    `"C:\\Program Files\\nodejs\\node.exe" "${copy}" token --gateway ${ADDRESS}`,
  )
  const [codex] = files['codex'] as PlannedFile[]
  expect(
    codex?.edits.filter(({ key }) => ['command', 'args'].includes(key.at(-1) ?? '')).map(({ value }) => value),
  ).toEqual(['C:\\Program Files\\nodejs\\node.exe', [copy, 'token', '--gateway', ADDRESS]])
})
