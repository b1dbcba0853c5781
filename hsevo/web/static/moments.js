// Moments, which pages have in UTC, in the local time of who looks at them.

/** Show all moments of a page in local time, as "2017-01-31 13:00". */
for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime), two = (n) => String(n).padStart(2, "0");
  if (Number.isNaN(moment.getTime())) continue;
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  time.title = time.textContent;
  time.textContent = "day" in time.dataset ? day : `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}
