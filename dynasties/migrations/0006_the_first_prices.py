"""Wares that are older than the history of prices get the price that they have told."""

from django.db import migrations


def tell_prices(apps, schema_editor):
    Ware, WarePrice = apps.get_model("dynasties", "Ware"), apps.get_model("dynasties", "WarePrice")
    reason = "The price when this history began."
    for ware in Ware.objects.filter(prices=None):
        WarePrice.objects.create(ware=ware, price=ware.price, coin=ware.coin, reason=reason)


class Migration(migrations.Migration):
    dependencies = [("dynasties", "0005_prices_of_wares")]

    operations = [migrations.RunPython(tell_prices, migrations.RunPython.noop)]
