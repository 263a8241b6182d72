import { plural } from './plural.ts'

export const texts = {
  title: 'Incidents',
  span: 'Period',
  spans: { '1': '24 hours', '7': '7 days', '30': '30 days' },
  timeline: 'Timeline',
  lanes: { failures: 'Failed requests', incidents: 'Incidents', changes: 'Changes' },
  noTraffic: 'No requests in this period.',
  summary: (incidents: number, changes: number) =>
    `${plural(incidents, { one: '1 incident', other: `${incidents} incidents` })}, ${plural(changes, { one: '1 change', other: `${changes} changes` })}`,
  hour: (time: string, failed: string, requests: string) => `${time}: ${failed} of ${requests} requests failed`,
  legend: { upstream: 'at upstreams', gateway: 'in the gateway' },
  none: {
    title: 'No incidents',
    text: 'An hour is listed when it had at least ten requests and at least a quarter of them failed.',
  },
  atUpstream: (upstream: string) => `Requests failed at ${upstream}`,
  beforeUpstream: 'Requests failed before they reached an upstream',
  failed: (failed: string, requests: string) => `${failed} of ${requests} requests`,
  models: (models: readonly string[]) => `Models: ${models.join(', ')}`,
  mostOf: (fault: string) => `Mostly: ${fault}`,
  between: (from: string, until: string) => `${from} to ${until}`,
  since: (from: string) => `since ${from}, ongoing`,
  requests: 'View requests',
  accounts: 'Affected accounts',
  changesLead: 'Changes to upstreams, models, groups, plans, settings and announcements, newest first.',
  noChanges: 'No changes.',
  by: (who: string, time: string) => `${who}, ${time}`,
  via: {
    session: 'the console',
    access_token: 'an access token',
    admin_token: 'the admin token',
    cli: 'the command line',
    file: 'the configuration file',
    none: 'the system',
  },
  audit: 'All changes',
}
