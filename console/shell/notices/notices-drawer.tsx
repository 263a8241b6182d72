import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { alertText, watchedText } from './notice-text.ts'
import type { Notice } from './notice.ts'
import type { Notices } from './use-notices.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'

/** What the bell shows: each notice with where it is dealt with. */
export function NoticesDrawer(props: {
  readonly isOpen: boolean
  onClose(): void
  readonly notices: Notices
}): ReactNode {
  const { isOpen, onClose, notices } = props
  const t = useShellTexts().notices
  const { all, unread, markRead } = notices
  return (
    <Drawer isOpen={isOpen} onClose={onClose} title={t.title} description={t.lead}>
      <Suspense fallback={<SkeletonLines count={4} />}>
        {all === null ? (
          <SkeletonLines count={4} />
        ) : all.length === 0 ? (
          <EmptyState icon="bell" title={t.none} />
        ) : (
          <>
            {unread.size > 0 && (
              <Button look="quiet" icon="check" className="mb-1 -ml-3" onClick={() => markRead([...unread])}>
                {t.markAll}
              </Button>
            )}
            <ul className="grid divide-y divide-line">
              {all.map((notice) => (
                <NoticeRow
                  key={notice.id}
                  notice={notice}
                  isUnread={unread.has(notice.id)}
                  onFollow={() => {
                    markRead([notice.id])
                    onClose()
                  }}
                />
              ))}
            </ul>
          </>
        )}
      </Suspense>
    </Drawer>
  )
}

function NoticeRow(props: { readonly notice: Notice; readonly isUnread: boolean; onFollow(): void }): ReactNode {
  const t = useShellTexts().notices
  const { icon, text, more, link } = useNoticeParts(props.notice)
  return (
    <li className="flex items-start gap-2.5 py-3">
      <Icon name={icon} className={props.isUnread ? 'mt-0.75 text-accent' : 'mt-0.75 text-ink-3'} />
      <div className="min-w-0 flex-1">
        <p className={props.isUnread ? 'font-medium' : 'text-ink-2'}>
          {text}
          {props.isUnread && <span className="sr-only"> ({t.unread})</span>}
        </p>
        {more !== null && <p className="text-sm text-ink-3">{more}</p>}
        {link !== null && (
          <Link
            to={link.to}
            search={link.search}
            onClick={props.onFollow}
            className="mt-1 inline-flex items-center text-sm text-accent hover:underline touch:min-h-11"
          >
            {link.text}
          </Link>
        )}
      </div>
      {props.isUnread && <span aria-hidden="true" className="mt-2 size-2 shrink-0 rounded-full bg-accent" />}
    </li>
  )
}

interface NoticeParts {
  readonly icon: IconName
  readonly text: string
  readonly more: ReactNode
  /** Where it is dealt with; null: not in the console. */
  readonly link: {
    readonly to: typeof PATHS.keys | typeof PATHS.billing | typeof PATHS.account | typeof PATHS.devices
    readonly search: Readonly<Record<string, string>>
    readonly text: string
  } | null
}

function useNoticeParts(notice: Notice): NoticeParts {
  const t = useShellTexts().notices
  const billing = useTexts('billing')
  const overview = useTexts('overview')
  const format = useFormat()
  const nowMs = useNow()
  const toBilling = { to: PATHS.billing, search: {}, text: t.toBilling } as const
  const toCredit = { to: PATHS.billing, search: { redeem: 'code' }, text: t.addCredit } as const
  const toKey = (id: string) => ({ to: PATHS.keys, search: { edit: id }, text: t.editKey }) as const
  switch (notice.kind) {
    case 'balance':
      return {
        icon: 'billing',
        text: notice.isEmpty ? t.empty : t.daysLeft(notice.daysLeft),
        more: notice.isEmpty ? t.emptyMore : null,
        link: toCredit,
      }
    case 'key': {
      const { text, resets } = watchedText(notice.key, { t: overview.keys, format, nowMs })
      return { icon: 'key', text: t.key(notice.key.name, text), more: resets, link: toKey(notice.key.id) }
    }
    case 'subscription': {
      const when = format.relative(notice.endsAt, nowMs)
      return { icon: 'clock', text: t.subscriptionEnds(notice.plan, when), more: null, link: toBilling }
    }
    case 'alert': {
      const { alert } = notice
      const links = {
        key_quota: toKey(alert.subject_id),
        key_ending: toKey(alert.subject_id),
        subscription: toBilling,
        subscription_ending: toBilling,
        renewal_failed: toBilling,
        low_balance: toCredit,
        device_reused: { to: PATHS.devices, search: {}, text: t.toDevices } as const,
      }
      const link = Object.entries(links).find(([kind]) => kind === alert.kind)?.[1] ?? null
      return {
        icon: 'bell',
        text: alertText(alert, billing, format),
        more: <RelativeTime time={alert.created_at} />,
        link,
      }
    }
    case 'visit':
      return {
        icon: 'eye',
        text: t.visit,
        more: (
          <>
            {notice.visit.reason} · <RelativeTime time={notice.visit.at} />
          </>
        ),
        link: { to: PATHS.account, search: { section: 'security' }, text: t.toVisits },
      }
    case 'password':
      return {
        icon: 'lock',
        text: t.noPassword,
        more: null,
        link: { to: PATHS.account, search: { section: 'security' }, text: t.setPassword },
      }
  }
}
