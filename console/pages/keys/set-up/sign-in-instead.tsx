import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../../api/instance.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { canSignIn, signInCommands } from '../../../setup/sign-in-commands.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'

/** The way without a key to copy, where the command line knows the client: the machine is signed in, and the client set up. */
export function SignInInstead(props: { readonly client: string; readonly origin: string }): ReactNode {
  const t = useTexts('keys').setUp
  const isOff = useQuery(instanceQuery).data?.device_sign_in === false
  const commands = !isOff && canSignIn(props.origin) ? signInCommands(props.origin, props.client) : null
  if (commands === null) return null
  return (
    <Disclosure title={t.signIn.title} summary={t.signIn.summary}>
      <div className="grid grid-cols-1 gap-2">
        <p className="text-ink-2">{t.signIn.text}</p>
        <CodeBlock title={t.terminal} purpose={t.signIn.title} text={commands} isWrapped />
      </div>
    </Disclosure>
  )
}
