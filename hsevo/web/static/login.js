// The page that asks for the password.

const said = document.getElementById("said");
document.getElementById("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const password = document.getElementById("password").value;
  const answer = await fetch("/login", { method: "POST", body: JSON.stringify({ password }) });
  // Whoever was invited goes on to the invitation.
  const to = location.hash.match(/^#(\/join\/[A-Z0-9]+)$/);
  if (answer.ok) location.assign(to ? to[1] : "/");
  else said.textContent = (await answer.json()).why;
});
