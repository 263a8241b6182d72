/** Day and time to the second, in the reader's zone, without the year that goes without saying in a list. */
export function formatMoment(time: string, language: string): string {
  return new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(time))
}
