import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SystemView } from '../../../../src/contract/system.ts'
import { beginMaintenance, type Backups, type Maintenance } from '../../../api/system-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { FactsTable } from './facts-table.tsx'

/** The backups that are there; makes one, and proves that the newest can be restored. */
export function BackupsSection(props: {
  readonly backups: Backups
  readonly engine: SystemView['database']['engine']
}): ReactNode {
  const t = useTexts('system').backups
  const format = useFormat()
  const queries = useQueryClient()
  const mayBegin = useMay('admin')
  const begin = useMutation({
    mutationFn: beginMaintenance,
    onSettled: () => queries.invalidateQueries({ queryKey: ['system'] }),
  })
  const { directory, running, files, standing, every_hours: hours, keep } = props.backups
  const isMade = directory !== null
  const isBusy = (kind: Maintenance): boolean => running?.kind === kind || (begin.isPending && begin.variables === kind)
  return (
    <Section
      title={t.title}
      {...(isMade ? { lead: t.lead(hours, format.number(hours), format.number(keep)) } : {})}
      actions={
        mayBegin &&
        isMade && (
          <>
            <Button
              isBusy={isBusy('rehearsal')}
              disabled={files.length === 0 || isBusy('backup')}
              onClick={() => begin.mutate('rehearsal')}
            >
              {t.rehearse}
            </Button>
            <Button
              look="primary"
              isBusy={isBusy('backup')}
              disabled={isBusy('rehearsal')}
              onClick={() => begin.mutate('backup')}
            >
              {t.now}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        {!isMade && <Notice>{props.engine === 'postgres' ? t.postgres : t.none}</Notice>}
        {standing?.is_old === true && <Notice tone="warn">{t.old(format.number(standing.max_age_hours))}</Notice>}
        {isMade && mayBegin && <p className="max-w-[65ch] text-sm text-ink-2">{t.rehearseHint}</p>}
        {isMade && !props.backups.has_secret && <p className="max-w-[65ch] text-sm text-ink-2">{t.withoutSecret}</p>}
        {begin.error !== null && <ErrorState error={begin.error} />}
        {running !== null && (
          <Notice tone="accent" isLive>
            {t.running[running.kind]}
            {running.share !== null && <Meter share={running.share} label={t.share} />}
          </Notice>
        )}
        <Ended kind="backup" ended={props.backups.last_backup} />
        <Ended kind="rehearsal" ended={props.backups.last_rehearsal} />
        {isMade &&
          (files.length === 0 ? (
            <p className="text-ink-2">{t.noFiles}</p>
          ) : (
            <FactsTable
              label={t.file}
              heads={[t.file, t.made, t.fileSize]}
              numbers={[t.fileSize]}
              rows={files.map(({ name, made_at: madeAt, bytes }) => ({
                key: name,
                cells: [
                  <span key="name" className="font-mono whitespace-nowrap">
                    {name}
                  </span>,
                  <RelativeTime key="made" time={madeAt} />,
                  format.bytes(bytes),
                ],
              }))}
            />
          ))}
      </div>
    </Section>
  )
}

/** What came of the last one that was begun by hand. */
function Ended(props: { readonly kind: Maintenance; readonly ended: Backups['last_backup'] }): ReactNode {
  const t = useTexts('system').backups
  const format = useFormat()
  const { kind, ended } = props
  if (ended === null) return null
  const { failure, proof, file } = ended
  if (failure !== null) {
    return (
      <Notice tone="bad" isLive>
        {t.failed[kind](failure)}
      </Notice>
    )
  }
  if (proof !== null && proof.disagreements > 0) {
    return (
      <Notice tone="bad" isLive>
        {t.disagree(file, format.number(proof.disagreements))}
      </Notice>
    )
  }
  return (
    <Notice tone="good" isLive>
      {t.ended[kind](file, format.duration(ended.took_ms))}
      {proof !== null && (
        <span className="block text-sm">{t.proved(format.number(proof.accounts), format.number(proof.entries))}</span>
      )}
    </Notice>
  )
}
