/** Clients that `tollgate use` sets up with a command for their token, and how they are asked for one message. */

export interface SignedInClient {
  readonly id: string
  /** Files that its person has before, by their paths below the home directory. */
  readonly files: Readonly<Record<string, string>>
  /** Words behind `tollgate use`. */
  readonly use: string
  /** Shell lines for one message. */
  readonly message: string
  /** The most requests that it makes for a message whose token is refused, the renewal of the token among them. */
  readonly refusals: number
  readonly says: {
    /** Where the gateway refuses a token that seemed good. */
    readonly refused: RegExp
    /** Where the command for the token says that the sign-in has ended. */
    readonly ended: RegExp
    /** The sentence about a token that is refused is ours. */
    readonly isOurs: boolean
  }
}

/** The sentence of the command for a token. */
export const ENDED = /Your sign-in at \S+ has ended\..*Sign in again: npx -y \S+\/client\.tgz login \S+/

export const SIGNED_IN_CLIENTS: readonly SignedInClient[] = [
  {
    id: 'claude-code',
    files: { '.claude/settings.json': '{"cleanupPeriodDays": 7}' },
    use: 'claude-code --token-command',
    message: 'claude -p "Say hello."',
    refusals: 7,
    says: { refused: ENDED, ended: ENDED, isOurs: true },
  },
  {
    id: 'codex',
    files: { '.codex/config.toml': '# mine\nhide_agent_reasoning = true\n\n[history]\npersistence = "none"' },
    use: 'codex',
    message: 'codex exec --skip-git-repo-check "Say hello." </dev/null',
    refusals: 12,
    says: { refused: ENDED, ended: ENDED, isOurs: true },
  },
  {
    id: 'copilot-cli',
    files: { '.bashrc': '# mine\nalias l=ls' },
    use: 'copilot-cli',
    message: '. ~/.bashrc\ncopilot -p "Say hello."',
    refusals: 1,
    says: {
      refused: /Authentication failed with provider at \S+ \(HTTP 401\)/,
      ended: /COPILOT_PROVIDER_API_KEY_COMMAND exited with status 1/,
      isOurs: false,
    },
  },
  {
    id: 'pi',
    files: { '.pi/agent/models.json': '{\r\n\t"providers": {}\r\n}' },
    use: 'pi',
    message: 'pi -p "Say hello."',
    refusals: 1,
    says: {
      refused: /^401 \{"type":"error"/m,
      ended: /Failed to resolve API key for provider "tollgate" from shell command/,
      isOurs: true,
    },
  },
  {
    id: 'opencode',
    files: { '.config/opencode/opencode.json': '{\n  // mine\n  "autoupdate": false,\n}\n' },
    use: 'opencode',
    message: 'opencode run "Say hello."',
    refusals: 3,
    says: { refused: /Error: .*/, ended: ENDED, isOurs: true },
  },
]
