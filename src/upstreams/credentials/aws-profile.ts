import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CredentialFailure } from '../cloud-upstream.ts'
import type { MintingMachine } from './minter.ts'

const MOST_PROFILES = 5

/**
 * Refuses a profile that runs a program, itself or by what it builds upon: the names of profiles come from admins of the console,
 * who are to run nothing on the machine. The files belong to those who run the gateway.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 */
export async function requireNoProgram(profile: string, environment: MintingMachine['environment']): Promise<void> {
  const files = [
    environment['AWS_CONFIG_FILE'] ?? join(homedir(), '.aws', 'config'),
    environment['AWS_SHARED_CREDENTIALS_FILE'] ?? join(homedir(), '.aws', 'credentials'),
  ]
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8').catch(() => '')))
  const sections = texts.flatMap(sectionsOf)
  const seen = new Set<string>()
  let next: string | undefined = profile
  while (next !== undefined && !seen.has(next)) {
    seen.add(next)
    const lines = sections.filter(({ name }) => name === next).flatMap((section) => section.lines)
    if (lines.some((line) => /^\s*credential_process\s*=/.test(line)) || seen.size > MOST_PROFILES) {
      throw new CredentialFailure(
        'The profile runs a program (credential_process), which no credential of an upstream does.',
      )
    }
    next = lines
      .map((line) => /^\s*source_profile\s*=\s*(\S.*)$/.exec(line)?.[1]?.trim())
      .find((name) => name !== undefined)
  }
}

interface ProfileSection {
  readonly name: string
  readonly lines: readonly string[]
}

function sectionsOf(text: string): readonly ProfileSection[] {
  return text.split(/^(?=\s*\[)/m).flatMap((part) => {
    const [head = '', ...lines] = part.trimStart().split('\n')
    const name = /^\[([^\]]*)\]/
      .exec(head)?.[1]
      ?.trim()
      .replace(/^profile\s+/, '')
    return name === undefined ? [] : [{ name: name.replace(/^["']|["']$/g, ''), lines }]
  })
}
