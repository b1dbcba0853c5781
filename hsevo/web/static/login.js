// The page that asks for the password.

const said = document.getElementById("said");
document.getElementById("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const password = document.getElementById("password").value;
  const to = new URLSearchParams(location.search).get("to");
  const answer = await fetch("/login", { method: "POST", body: JSON.stringify({ password, to }) });
  if (answer.ok) location.assign((await answer.json()).to);
  else said.textContent = (await answer.json()).why;
});
