import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../../api/instance.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { canSignIn, signInCommands } from '../../../setup/sign-in-commands.ts'
import { siteAddress } from '../../../site.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** How programs are signed in: by the command line, and Claude Code by itself. */
export function SignInWays(): ReactNode {
  const t = useTexts('devices').ways
  const instance = useQuery(instanceQuery).data
  const origin = instance?.origin ?? siteAddress()
  const settings = JSON.stringify({ forceLoginMethod: 'gateway', forceLoginGatewayUrl: origin }, null, 2)
  if (instance?.device_sign_in === false) return <Notice>{t.off}</Notice>
  if (!canSignIn(origin)) return <Notice tone="warn">{t.needsHttps}</Notice>
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-1 gap-1.5">
        <p>{t.commandLine}</p>
        <CodeBlock title={t.terminal} text={signInCommands(origin) ?? ''} isWrapped />
      </div>
      <div className="grid grid-cols-1 gap-1.5">
        <p>{t.claudeCode}</p>
        <CodeBlock title="~/.claude/settings.json" text={settings} />
        <p className="text-sm text-ink-3">{t.privateOnly}</p>
      </div>
    </div>
  )
}
