import type { ReactNode } from 'react'
import type { MadeInvitation, MadeInvitations } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { csvOf } from '../../../format/csv.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { saveText } from '../../../ui/save-text.ts'

type WithLink = MadeInvitation & { readonly url: string }

/** The links of invitations that were just made, to be passed on: each with its button, and all of them at once. */
export function Invited(props: { readonly made: MadeInvitations; onClose(): void }): ReactNode {
  const t = useTexts('accounts').invited
  const shared = useSharedTexts()
  const format = useFormat()
  const { rows, total } = props.made
  const made = rows.filter(({ problem }) => problem === null)
  const links = rows.filter((row): row is WithLink => row.url !== null)
  const until = made[0]?.expires_at
  const close = <Button onClick={props.onClose}>{shared.close}</Button>
  return (
    <Dialog
      isOpen
      title={t.title(made.length)}
      description={made.length === 0 ? t.none : t.sum(made.length, total === '0' ? null : format.exactMoney(total))}
      onClose={props.onClose}
      foot={
        <div className="flex flex-wrap justify-end gap-2">
          {links.length < 2 ? (
            close
          ) : (
            <>
              <Button icon="download" onClick={() => saveText(FILE, fileOf(rows, t))}>
                {t.csv}
              </Button>
              {close}
              <CopyButton look="primary" what={t.copyAll} label={t.copyAll} text={linesOf(links, t.anyone)} />
            </>
          )}
        </div>
      }
    >
      <p role="status" className="text-ink-2">
        {links.length < made.length
          ? t.lost
          : shared.sentences([
              ...(made.length === 0 ? [] : [t.once]),
              ...(until === undefined || until === null ? [] : [t.until(format.time(until))]),
            ])}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {rows.map((row, index) => (
          <Row key={`${index} ${row.email ?? ''}`} row={row} isOnly={links.length === 1} />
        ))}
      </ul>
    </Dialog>
  )
}

/** One address with its link, or with why it has none. */
function Row({ row, isOnly }: { readonly row: MadeInvitation; readonly isOnly: boolean }): ReactNode {
  const t = useTexts('accounts').invited
  const who = row.email ?? t.anyone
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="block font-medium [overflow-wrap:anywhere]">
          {who}
          {row.was_mailed && <span className="font-normal text-ink-3"> · {t.mailed}</span>}
        </span>
        {row.problem !== null && <span className="block text-sm text-warn">{t.problems[row.problem]}</span>}
        {row.url !== null && (
          <code className="block truncate font-mono text-xs text-ink-3 select-all" title={row.url}>
            {row.url}
          </code>
        )}
      </span>
      {row.url !== null && (
        <CopyButton look={isOnly ? 'primary' : 'secondary'} what={t.copyOf(who)} label={t.copy} text={row.url} />
      )}
    </li>
  )
}

const FILE = 'invitations.csv'

/** What is said of people and links in a file. */
interface FileTexts {
  readonly anyone: string
  readonly fileColumns: {
    readonly email: string
    readonly link: string
    readonly expires: string
    readonly note: string
  }
  readonly problems: Readonly<Record<NonNullable<MadeInvitation['problem']>, string>>
}

function fileOf(rows: readonly MadeInvitation[], t: FileTexts): string {
  const { email, link, expires, note } = t.fileColumns
  return csvOf([
    [email, link, expires, note],
    ...rows.map((row) => [
      row.email ?? t.anyone,
      row.url ?? '',
      row.expires_at ?? '',
      row.problem === null ? '' : t.problems[row.problem],
    ]),
  ])
}

function linesOf(links: readonly WithLink[], anyone: string): string {
  return links.map(({ email, url }) => `${email ?? anyone}\t${url}`).join('\n')
}
