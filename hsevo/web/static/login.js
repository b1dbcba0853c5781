// The page that asks for the password.

const said = document.getElementById("said");
document.getElementById("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const password = document.getElementById("password").value;
  const answer = await fetch("/login", { method: "POST", body: JSON.stringify({ password }) });
  if (answer.ok) location.assign("/");
  else said.textContent = (await answer.json()).why;
});
