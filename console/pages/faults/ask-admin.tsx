import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../api/instance.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { factText, isMail, messageText, supportLink, type SupportMessage, takesMessage } from './support-message.ts'

/** Where only an admin can help: a message to the address that they gave, or a text to copy where they gave none. */
export function AskAdmin(props: {
  readonly message: SupportMessage
  readonly look?: 'primary' | 'secondary'
  /** The facts can be copied beside it already. */
  readonly isWithoutFacts?: boolean
}): ReactNode {
  const t = useTexts('refusals').fix
  const address = useQuery(instanceQuery).data?.support_address ?? null
  const { message, look = 'secondary' } = props
  return (
    <>
      {address === null ? (
        <CopyButton text={messageText(message)} what={t.askAdmin} label={t.askAdmin} look={look} />
      ) : (
        <SupportLink address={address} message={message} look={look} />
      )}
      {props.isWithoutFacts !== true && message.facts.length > 0 && (
        <CopyButton text={factText(message)} what={t.copySupport} label={t.copySupport} />
      )}
    </>
  )
}

function SupportLink(props: {
  readonly address: string
  readonly message: SupportMessage
  readonly look: 'primary' | 'secondary'
}): ReactNode {
  const t = useTexts('refusals').fix
  const toast = useToast()
  const { address, message } = props
  const isPage = !isMail(address)
  const copy = async (): Promise<void> => {
    if (await copyText(messageText(message))) toast({ text: t.messageCopied })
  }
  return (
    <a
      href={supportLink(address, message)}
      {...(isPage ? { target: '_blank', rel: 'noreferrer' } : {})}
      {...(takesMessage(address) ? {} : { onClick: () => void copy() })}
      className={buttonClass(props.look)}
    >
      <Icon name={isPage ? 'external' : 'mail'} />
      {t.writeAdmin}
    </a>
  )
}
