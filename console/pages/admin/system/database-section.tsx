import type { ReactNode } from 'react'
import type { SystemView } from '../../../../src/contract/system.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { FactsTable } from './facts-table.tsx'

/** The newer version's own command: only that one knows its steps. */
const CHECK = 'npx tollgate migrate --check'

/** How large the database is, how fast it grows, and what of it. */
export function DatabaseSection({ database }: { readonly database: SystemView['database'] }): ReactNode {
  const t = useTexts('system').database
  const format = useFormat()
  const { disk, tables, migrations, wal_bytes: wal, growth_bytes_per_day: growth, full_in_days: days } = database
  return (
    <Section title={t.title}>
      <DetailList
        rows={[
          { label: t.engine, value: t.engines[database.engine] },
          { label: t.size, value: format.bytes(database.bytes) },
          ...(wal === null ? [] : [{ label: t.wal, value: format.bytes(wal) }]),
          { label: t.growth, value: growth === null ? t.growthUnknown : t.perDay(format.bytes(growth)) },
          ...(disk === null ? [] : [{ label: t.disk, value: <Disk disk={disk} days={days} /> }]),
          {
            label: t.schema,
            value: (
              <span className="[overflow-wrap:anywhere]">
                {t.migrations(format.number(migrations.count), migrations.newest)} ·{' '}
                <RelativeTime time={migrations.newest_at} />
              </span>
            ),
          },
        ]}
      />
      <div className="mt-4 max-w-xl">
        <CopyField label={t.check} value={CHECK} hint={t.beforeUpgrade} />
      </div>
      {tables === null ? (
        <p className="mt-4 text-ink-2">{t.tablesUnknown}</p>
      ) : (
        <div className="mt-4 max-w-xl">
          <Disclosure title={t.tables} summary={t.indexes}>
            <FactsTable
              label={t.tables}
              heads={[t.table, t.size, ...(tables.some(({ rows }) => rows !== null) ? [t.rows] : [])]}
              numbers={[t.size, t.rows]}
              rows={tables.map(({ name, bytes, rows }) => ({
                key: name,
                cells: [
                  <span key="name" className="font-mono">
                    {name}
                  </span>,
                  format.bytes(bytes),
                  ...(rows === null ? [] : [format.number(rows)]),
                ],
              }))}
            />
          </Disclosure>
        </div>
      )}
    </Section>
  )
}

function Disk(props: {
  readonly disk: NonNullable<SystemView['database']['disk']>
  readonly days: number | null
}): ReactNode {
  const t = useTexts('system').database
  const format = useFormat()
  const { bytes, free_bytes: free } = props.disk
  return (
    <div className="grid max-w-80 gap-1">
      <span>{t.free(format.bytes(free), format.bytes(bytes))}</span>
      <Meter share={bytes === 0 ? 0 : 1 - free / bytes} label={t.disk} />
      {props.days !== null && (
        <span className="text-sm text-ink-2">{t.fullIn(props.days, format.number(props.days))}</span>
      )}
    </div>
  )
}
