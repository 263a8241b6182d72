import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { PlannedEdit } from '../changes/prepared-file.ts'
import { Failure, type Host, variable } from '../host.ts'
import { inHome } from '../kept/folder.ts'
import { ownCopy, quoted, tokenCommand } from '../kept/own-copy.ts'
import { type Asked, chosenModel, type ClientKind, MESSAGE, type Plan } from './client-kind.ts'

/** The models that Claude Code calls where nothing is set. */
const OWN_MODEL = 'claude-opus-4-7'
const OWN_SMALL_MODEL = 'claude-haiku-4-5-20251001'

/** Variables of the settings that take precedence over the sign-in and over the command. */
const IN_THE_WAY = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY']

export const CLAUDE_CODE: ClientKind = {
  id: 'claude-code',
  name: 'Claude Code',
  programs: ['claude'],
  folder: settingsFolder,
  plan: async (asked) => {
    const { host, address } = asked
    refuseManaged(host)
    const path = host.paths.join(settingsFolder(host), 'settings.json')
    const signsIn = !asked.wants.tokenCommand && (await isPrivate(address))
    return signsIn ? signInPlan(asked, path) : commandPlan(asked, path)
  },
  env: (asked) => ({
    ANTHROPIC_BASE_URL: asked.state.baseUrls.anthropic,
    ANTHROPIC_AUTH_TOKEN: asked.secret,
    ANTHROPIC_API_KEY: '',
    ...models(asked),
  }),
}

function settingsFolder(host: Host): string {
  return variable(host, 'CLAUDE_CONFIG_DIR') ?? inHome(host, '.claude')
}

/** Settings of the company come before those of the person. */
function refuseManaged(host: Host): void {
  const folders = {
    linux: '/etc/claude-code',
    macos: '/Library/Application Support/ClaudeCode',
    windows: 'C:\\Program Files\\ClaudeCode',
  }
  const folder = `${host.root}${folders[host.system]}`
  const path = ['managed-settings.json', 'managed-settings.d']
    .map((name) => host.paths.join(folder, name))
    .find((each) => existsSync(each))
  if (path !== undefined) {
    throw new Failure(
      `Claude Code is managed on this computer by ${path}, which comes before your settings: nothing is changed. Ask who manages it to name the gateway there.`,
    )
  }
}

function signInPlan(asked: Asked, path: string): Plan {
  const edits: PlannedEdit[] = [
    { key: ['forceLoginMethod'], value: 'gateway' },
    { key: ['forceLoginGatewayUrl'], value: asked.address },
    ...['apiKeyHelper'].map((name) => ({ key: [name], value: null })),
    ...[...IN_THE_WAY, 'ANTHROPIC_BASE_URL'].map((name) => ({ key: ['env', name], value: null })),
    ...statusLine(asked),
  ]
  return {
    form: 'sign_in',
    files: [{ path, format: 'json', edits }],
    notes: ['Start claude and type /login: it shows a code, which you approve in a browser as before.'],
    protocol: 'anthropic-messages',
    model: chosenModel(asked, /^claude.*haiku/, /^claude/),
    message: null,
  }
}

function commandPlan(asked: Asked, path: string): Plan {
  const { host, address, state } = asked
  const edits: PlannedEdit[] = [
    { key: ['apiKeyHelper'], value: tokenCommand(host, address) },
    { key: ['env', 'ANTHROPIC_BASE_URL'], value: state.baseUrls.anthropic },
    ...Object.entries(models(asked)).map(([name, value]) => ({ key: ['env', name], value })),
    ...IN_THE_WAY.map((name) => ({ key: ['env', name], value: null })),
    ...['forceLoginMethod', 'forceLoginGatewayUrl'].map((name) => ({ key: [name], value: null })),
    ...statusLine(asked),
  ]
  const set = [...IN_THE_WAY, 'ANTHROPIC_BASE_URL'].filter((name) => variable(host, name) !== undefined)
  return {
    form: 'token_command',
    files: [{ path, format: 'json', edits }],
    notes:
      set.length === 0
        ? []
        : [
            `Your shell sets ${set.join(' and ')}, which Claude Code takes first: take that out of your shell’s settings.`,
          ],
    protocol: 'anthropic-messages',
    model: chosenModel(asked, /^claude.*haiku/, /^claude/),
    message: { program: 'claude', args: ['-p', MESSAGE], env: Object.fromEntries(set.map((name) => [name, ''])) },
  }
}

/** Names models only where the group lacks those that the client takes by itself, or where the person named one. */
function models(asked: Asked): Record<string, string> {
  const { models: all } = asked.state
  if (asked.model === null && all.includes(OWN_MODEL) && all.includes(OWN_SMALL_MODEL)) return {}
  return {
    ANTHROPIC_MODEL: chosenModel(asked, /^claude.*opus/, /^claude.*sonnet/, /^claude/),
    ANTHROPIC_DEFAULT_HAIKU_MODEL: chosenModel(
      { ...asked, model: null },
      /^claude.*haiku/,
      /^claude.*sonnet/,
      /^claude/,
    ),
  }
}

/** A status line of the person's own stays. */
function statusLine({ host, address, wants }: Asked): readonly PlannedEdit[] {
  if (!wants.statusLine) return []
  const words = [host.node, ownCopy(host), 'status', '--line', '--gateway', address]
  const command = words.map((word) => quoted(host, word)).join(' ')
  return [{ key: ['statusLine'], value: { type: 'command', command }, onlyIfMissing: true }]
}

/** Whether Claude Code would sign in there by itself: it takes hosts only whose every address is private. */
async function isPrivate(address: string): Promise<boolean> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPrivateIp(host)
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.length > 0 && found.every((each) => isPrivateIp(each.address))
}

function isPrivateIp(address: string): boolean {
  const mapped = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(
    mapped,
  )
}
