import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { IconButton } from '../ui/icon-button.tsx'

const MOST_SHOWN = 9

/** Opens the notifications, and says how many are unread. */
export function BellButton(props: { readonly unread: number; onNear(): void; onPress(): void }): ReactNode {
  const t = useSharedTexts()
  const { unread } = props
  return (
    <span className="relative">
      <IconButton
        icon="bell"
        label={t.notifications(unread)}
        onPointerEnter={props.onNear}
        onFocus={props.onNear}
        onClick={props.onPress}
      />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute bottom-1/2 left-1/2 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-xs leading-none font-medium whitespace-nowrap text-accent-ink"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </span>
  )
}
